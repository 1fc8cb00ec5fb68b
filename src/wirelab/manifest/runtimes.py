"""Contenders with the settings of their runtime, which stand once beside the SDK."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from wirelab.manifest.problems import Findings
from wirelab.model.builds import BuildKind
from wirelab.model.contender import Contender
from wirelab.model.runtimes import Runtime
from wirelab.model.suite import Suite

_SDK = Path(__file__).resolve().parents[3] / "sdk"
_FILES: dict[BuildKind, str] = {"dotnet": "csharp/runtime.toml"}
"""By kind of build: what its programs run on is said in this file."""


@cache
def runtime_of(kind: BuildKind) -> Runtime:
    """The runtime of programs of a kind of build; without settings where none decide figures."""
    if kind not in _FILES:
        return Runtime(settings={})
    return Runtime.model_validate(tomllib.loads((_SDK / _FILES[kind]).read_text("utf-8")))


def of_contender(contender: Contender) -> Findings:
    """Settings that are decided where nobody would see it."""
    for name, setting in runtime_of(contender.build.kind).settings.items():
        if setting.variable in contender.run.environment:
            key = ("run", "environment", setting.variable)
            yield key, f"{name} in [tuning] decides it, where reports show it"


def with_runtime(contender: Contender, suite: Suite | None) -> Contender:
    """A contender whose tuning, parameters and environment have the settings of its runtime.

    Those that the suite declares itself are left to it: its scenarios may set them.
    """
    runtime = runtime_of(contender.build.kind)
    declared = suite.parameters if suite else {}
    own = {n: s for n, s in runtime.settings.items() if n not in declared}
    tuning = {**{name: s.default for name, s in own.items()}, **contender.tuning}
    told = {
        setting.variable: setting.values[str(tuning[name])]
        for name, setting in own.items()
        if str(tuning[name]) in setting.values
    }
    environment = {**runtime.environment, **told, **contender.run.environment}
    return contender.model_copy(
        update={
            "tuning": tuning,
            "parameters": {**{n: s.parameter for n, s in own.items()}, **contender.parameters},
            "run": contender.run.model_copy(update={"environment": environment}),
        }
    )
