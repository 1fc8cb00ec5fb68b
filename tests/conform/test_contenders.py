"""Every contender in the tree keeps the contract, under load and where something breaks."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.building import WITHIN_S, build_behind_others, build_engine_behind_others
from wirelab.build.content import code_lines
from wirelab.catalog import ContenderEntry, SuiteEntry, find_catalog
from wirelab.model.suite import Scenario
from wirelab.plan import takes_part

ROOT = Path(__file__).parents[2]
CATALOG = find_catalog(ROOT)
UNAVAILABLE = "cannot be checked here: "

QUICKLY_BEGUN = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1"}
"""A check starts a dozen workers for a moment each: half of the CPU time of a Java server's went
to the compiler for what runs for long."""


def pairs() -> Iterator[tuple[Path, str]]:
    """Every contender with the first scenario of each kind that it takes part in.

    Who is loaded by another is told the same in all of them: one is enough. What keeps the
    contract in batches and closed loops is the harness of a language, in sources that its
    contenders share: of those one is enough, in each kind of them.
    """
    for suite in CATALOG.suites.values():
        simple = {entry.name for entry in simplest(suite)}
        for contender in suite.contenders.values():
            if contender.manifest.unavailable.en:
                continue
            found = list(taking_part(suite, contender))
            shared = [one for one in found if is_driven(one[1])]
            harnessed = bool(harness_of(suite, contender) and shared)
            if harnessed:
                found = shared if contender.name in simple else []
            kinds: dict[tuple[str, bool], str] = {}
            for name, scenario in found:
                kinds.setdefault(kind_of(scenario, harnessed=harnessed), name)
            for name in kinds.values():
                yield contender.folder.relative_to(ROOT), name


def taking_part(suite: SuiteEntry, contender: ContenderEntry) -> Iterator[tuple[str, Scenario]]:
    """The scenarios of a contender."""
    for name, scenario in suite.manifest.scenarios.items():
        if any(
            takes_part(contender.manifest, name, scenario, variant)
            for variant in scenario.variants or [""]
        ):
            yield name, scenario


def is_driven(scenario: Scenario) -> bool:
    """Whether a harness says when which operation is due."""
    return scenario.kind == "batches" or scenario.is_closed


def kind_of(scenario: Scenario, *, harnessed: bool) -> tuple[str, bool]:
    """What is told apart: who is loaded by another; in a harness, whether anything is counted."""
    counted = any(operation.record == "intervals" for operation in scenario.operations.values())
    return "load" if scenario.has_generator else scenario.kind, harnessed and counted


def harness_of(suite: SuiteEntry, contender: ContenderEntry) -> str:
    """The language whose contenders share sources with this one; empty where it shares none."""
    needs = (suite.libraries[need].manifest for need in contender.manifest.build.needs)
    # Sources, with packages where they import some.
    shared = any(library.build.kind in {"none", "python"} for library in needs)
    return contender.manifest.language if shared else ""


def simplest(suite: SuiteEntry) -> Iterator[ContenderEntry]:
    """Of each harness the contender that has least beside it: no broker, little code."""
    found: dict[str, list[ContenderEntry]] = {}
    for entry in suite.contenders.values():
        manifest = entry.manifest
        if not manifest.reference and not manifest.unavailable.en and harness_of(suite, entry):
            found.setdefault(manifest.language, []).append(entry)
    for entries in found.values():
        yield min(
            entries,
            key=lambda entry: (
                len(entry.manifest.fills),
                len(entry.manifest.build.needs),
                code_lines(entry.folder / entry.manifest.source),
            ),
        )


PAIRS = list(pairs())


def test_every_contender_is_tried() -> None:
    assert CATALOG.broken == {}
    assert [suite.broken for suite in CATALOG.suites.values() if suite.broken] == []
    tried: dict[str, dict[str, set[str]]] = {}
    for folder, name in PAIRS:
        tried.setdefault(folder.parts[1], {}).setdefault(folder.name, set()).add(name)
    for suite in CATALOG.suites.values():
        # A contender whose harness is nobody's who is tried would be missed here.
        harnesses = {harness_of(suite, suite.contenders[n]) for n in tried[suite.name]} - {""}
        for contender in suite.contenders.values():
            known = harness_of(suite, contender) in harnesses
            gone = bool(contender.manifest.unavailable.en)
            assert gone or known or contender.name in tried[suite.name], contender.folder
    scenarios = {suite: set().union(*names.values()) for suite, names in tried.items()}
    assert scenarios["opcua"] == {"s7", "faults"}
    assert scenarios["websocket"] == {"ramp"}
    assert scenarios["codec"] == {"steady"}
    assert scenarios["messaging"] == {"transfer", "broadcast"}
    assert scenarios["kv"] == {"client"}


@pytest.mark.e2e
@pytest.mark.parametrize(
    ("folder", "scenario"), PAIRS, ids=[f"{f.parts[1]}-{f.name}-{name}" for f, name in PAIRS]
)
def test_a_contender_keeps_the_contract(folder: Path, scenario: str) -> None:
    contender = CATALOG.suite(folder.parts[1]).contenders[folder.name]
    if contender.manifest.build.kind == "engine":
        build_engine_behind_others()
    build_behind_others(suite=folder.parts[1], contender=folder.name)
    ended = subprocess.run(
        [sys.executable, "-m", "wirelab", "conform", str(folder), "--scenario", scenario],
        cwd=ROOT,
        env={**os.environ, **QUICKLY_BEGUN},
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )
    _, unavailable, reason = ended.stderr.partition(UNAVAILABLE)
    if ended.returncode == 2 and unavailable:
        pytest.skip(reason.strip())
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert f"scenario {folder.parts[1]}/{scenario}" in ended.stdout
