"""Rules that no single key of a manifest can show: names that must exist, figures that must fit."""

from __future__ import annotations

import re

from wirelab.manifest import metrics, parameters, provided, scenarios
from wirelab.manifest.names import must_exist
from wirelab.manifest.problems import Findings, Key
from wirelab.model.builds import JAVA_PACKAGES, Build, BuildKind, RunCommand
from wirelab.model.contender import Contender, Library
from wirelab.model.events import CONTRACT, CONTRACT_PAGE
from wirelab.model.suite import Suite

PLACEHOLDERS = ("source", "build", "suite", "python", "java", "node", "dotnet", "sdk", "role")
"""Placeholders that a command may hold between braces."""


_PACKAGES_OF: dict[str, tuple[BuildKind, ...]] = {
    **dict.fromkeys(JAVA_PACKAGES, ("maven",)),
    "dependencies": ("maven", "dotnet"),
}
"""By key: the kinds of build that may have it."""

_PLACEHOLDER = re.compile(r"\{([a-z]+)\}")


def of_suite(suite: Suite) -> Findings:
    """Everything in a suite that does not fit together."""
    for name, service in suite.services.items():
        yield from _build(("services", name, "build"), service.build)
        yield from _run(("services", name, "run"), service.run)
        if service.target:
            key: Key = ("services", name, "target")
            yield from must_exist(key, "service", service.target, suite.services)
        for number, wanted in enumerate(service.scenarios):
            key = ("services", name, "scenarios", number)
            yield from must_exist(key, "scenario", wanted, suite.scenarios)
    for name, generator in suite.generators.items():
        key = ("generators", name)
        yield from _build((*key, "build"), generator.build)
        yield from _run((*key, "run"), generator.run)
        for number, wanted in enumerate(generator.scenarios):
            yield from must_exist((*key, "scenarios", number), "scenario", wanted, suite.scenarios)
    if not suite.scenarios:
        yield ("scenarios",), "expected at least one scenario"
    for name, scenario in suite.scenarios.items():
        yield from scenarios.of_scenario(("scenarios", name), scenario, suite)
    yield from metrics.of_suite(suite)
    yield from parameters.of_suite(suite)


def of_contender(contender: Contender, suite: Suite | None) -> Findings:
    """Everything in a contender that does not fit together, or does not fit its suite."""
    yield from _build(("build",), contender.build)
    yield from _run(("run",), contender.run)
    yield from parameters.of_contender(contender, suite)
    if suite is None:
        return
    if contender.suite not in (None, suite.suite):
        yield ("suite",), f'belongs to suite "{contender.suite}", not to "{suite.suite}"'
        return
    for name in contender.modes:
        yield from must_exist(("mode",), "mode", name, suite.modes)
    for number, name in enumerate(contender.scenarios):
        yield from must_exist(("scenarios", number), "scenario", name, suite.scenarios)
    taking_part = [s for n, s in suite.scenarios.items() if n in (contender.scenarios or [n])]
    free = [n for s in taking_part for n, role in s.roles.items() if role.is_contenders]
    for number, name in enumerate(contender.roles):
        yield from must_exist(("roles", number), "role for a contender", name, free)
    optional = [n for s in taking_part for n, role in s.roles.items() if role.optional]
    for number, name in enumerate(contender.uses):
        yield from must_exist(("uses", number), "optional role", name, optional)
    yield from provided.of_contender(contender, suite, taking_part)


def of_library(library: Library) -> Findings:
    """Everything in a library that does not fit together."""
    yield from _build(("build",), library.build, sources=True)


def _build(key: Key, build: Build, *, sources: bool = False) -> Findings:
    for name, of in _PACKAGES_OF.items():
        kinds = (*of, "none") if sources else of
        if getattr(build, name) and build.kind not in kinds:
            yield (*key, name), f"only builds of the kind {' or '.join(kinds)} have {name}"
    if build.kind == "dotnet":
        for number, package in enumerate(build.dependencies):
            if package.count(":") != 1:
                yield (*key, "dependencies", number), 'expected a NuGet package, "id:version"'
    elif not build.boms:
        for number, package in enumerate(build.dependencies):
            if package.count(":") == 1:
                place = (*key, "dependencies", number)
                yield place, f'no version, write "{package}:VERSION" or boms that give it one'
    yield from _pinned(key, build)
    if build.needs and build.kind == "engine":
        yield (*key, "needs"), "a build of the kind engine is built on nothing"
    if build.crates and build.kind != "cmake":
        yield (*key, "crates"), "only builds of the kind cmake use crates"
    if build.brought and build.kind != "cmake":
        yield (*key, "brought"), "only builds of the kind cmake use folders that are brought"
    if build.frameworks and build.kind != "dotnet":
        yield (*key, "frameworks"), "only builds of the kind dotnet use frameworks"


def _pinned(key: Key, build: Build) -> Findings:
    why = build.pinned_because.en
    if build.pinned == "hash":
        if why:
            yield (*key, "pinned_because"), 'a reason for pinned = "version", which is not there'
    elif not (build.kind == "dotnet" and build.dependencies):
        yield (*key, "pinned"), "only builds of the kind dotnet that have dependencies may say that"
    elif not why:
        yield (*key, "pinned"), "pinned_because is missing: why can no hash be known?"


def _run(key: Key, run: RunCommand) -> Findings:
    if run.contract != CONTRACT:
        yield (
            (*key, "contract"),
            f"version {run.contract} is spoken no more, leave it out and see {CONTRACT_PAGE}",
        )
    texts: list[tuple[Key, str]] = [
        ((*key, "command", number), part) for number, part in enumerate(run.command)
    ]
    texts += [((*key, "environment", name), value) for name, value in run.environment.items()]
    for number, within in enumerate(run.within):
        for word, other in within.words.items():
            place = (*key, "within", number, "words", word)
            yield from must_exist(place, "word of the command", word, run.command)
            texts.append((place, other))
    for place, text in texts:
        for name in _PLACEHOLDER.findall(text):
            yield from must_exist(place, "placeholder", name, PLACEHOLDERS)
