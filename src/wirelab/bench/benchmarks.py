"""All benchmarks of the harness, and how they are carried out together."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

import wirelab
from wirelab.bench import (
    analysis,
    batches,
    echo,
    engine,
    http,
    monitor,
    probe,
    recorder,
    sandbox,
    ticks,
    witness,
)
from wirelab.bench.figure import BenchFigure, Findings
from wirelab.bench.trials import MeasuredSuite, measure_suite
from wirelab.build.permission import Permission
from wirelab.doctor import disclosure


@dataclass(frozen=True)
class _OfTrials:
    """A benchmark whose figures come from trials of the suite."""

    scenarios: tuple[str, ...]
    figures: Callable[[MeasuredSuite], list[BenchFigure]]


_OF_TRIALS: Mapping[str, _OfTrials] = {
    recorder.SCENARIO: _OfTrials((recorder.SCENARIO,), recorder.figures),
    batches.SCENARIO: _OfTrials((batches.SCENARIO,), batches.figures),
    probe.SCENARIO: _OfTrials((probe.SCENARIO,), probe.figures),
    ticks.SCENARIO: _OfTrials((ticks.SCENARIO,), ticks.figures),
    echo.SCENARIO: _OfTrials((echo.SCENARIO,), echo.figures),
    engine.BENCHMARK: _OfTrials(engine.SCENARIOS, engine.figures),
}

BENCHMARKS = (
    *_OF_TRIALS,
    monitor.BENCHMARK,
    witness.BENCHMARK,
    sandbox.BENCHMARK,
    http.BENCHMARK,
    analysis.BENCHMARK,
)
"""Their names, in the order in which they are shown."""

PROFILES = tuple(analysis.SHAPES)
"""Amounts of measuring; smoke only shows that everything works."""


@dataclass(frozen=True)
class Bench:
    """A request for benchmarks: which ones, how much of them, and the folders they use."""

    names: Collection[str]
    profile: str
    seed: int
    repository: Path
    may_install: Permission
    results: Path


def measure_harness(bench: Bench, console: Console) -> Findings:
    """Carry out the benchmarks asked for.

    Trials first, on a machine that is quiet; the analysis, which is not, last. Raises what
    ``measure_suite`` and the benchmarks raise.
    """
    started = datetime.datetime.now(datetime.UTC)
    load_before = list(os.getloadavg())
    measured = None
    figures: list[BenchFigure] = []
    chosen = [of_trials for name, of_trials in _OF_TRIALS.items() if name in bench.names]
    if chosen:
        measured = measure_suite(
            [scenario for of_trials in chosen for scenario in of_trials.scenarios],
            profile=bench.profile,
            seed=bench.seed,
            repository=bench.repository,
            may_install=bench.may_install,
            results=bench.results,
            console=console,
        )
        for of_trials in chosen:
            figures += of_trials.figures(measured)
    if monitor.BENCHMARK in bench.names:
        figures += monitor.figures(bench.profile, _printer(console))
    if witness.BENCHMARK in bench.names:
        figures += witness.figures(
            bench.profile, bench.repository, _printer(console), bench.may_install
        )
    if sandbox.BENCHMARK in bench.names:
        figures += sandbox.figures(
            sandbox.SandboxBench(
                bench.profile,
                bench.seed,
                bench.repository,
                bench.results,
                bench.may_install,
                _printer(console),
            )
        )
    if http.BENCHMARK in bench.names:
        figures += http.figures(
            bench.profile, bench.repository, _printer(console), bench.may_install
        )
    if analysis.BENCHMARK in bench.names:
        figures += analysis.figures(bench.profile)
    return Findings(
        started_at=started.isoformat(timespec="seconds"),
        wirelab=wirelab.__version__,
        git_revision=measured.result.disclosure.git_revision if measured else "",
        profile=bench.profile,
        seed=bench.seed,
        host=measured.result.disclosure.host if measured else disclosure(),
        load_before=load_before,
        run=str(measured.folder) if measured else None,
        figures=figures,
        remarks=measured.remarks() if measured else {},
    )


def _printer(console: Console) -> Callable[[str], None]:
    def say(line: str) -> None:
        console.print(line, markup=False, highlight=False, soft_wrap=True)

    return say
