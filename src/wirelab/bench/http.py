"""The engine's HTTP generator beside others: requests that a second of processor time buys."""

from __future__ import annotations

import math
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wirelab.bench.figure import BenchError, BenchFigure
from wirelab.bench.http_trial import (
    AskedTrial,
    GeneratorTrial,
    by_engine,
    by_oha,
    by_wrk,
    null_server,
)
from wirelab.bench.targets import HTTP_RATIO
from wirelab.build import PartBuilds, Unavailable, engine_part
from wirelab.build.permission import Permission
from wirelab.processes.pinning import usable_cores
from wirelab.stats.trials import trials_interval

BENCHMARK = "http"
ENGINE = "engine"

OTHERS = {
    "wrk": (by_wrk, "apt-get install wrk"),
    "oha": (by_oha, "cargo install --locked oha"),
}
"""Other generators: how a trial of each is carried out, and how to get it."""

BLOCKS = {"smoke": (1, 1.0, (10,)), "quick": (6, 3.0, (10, 50)), "publish": (12, 5.0, (10, 50))}
"""By profile: blocks, seconds of a trial, connections."""

_Play = Callable[[Sequence[str], AskedTrial, Path], GeneratorTrial]


@dataclass
class MeasuredGenerators:
    """Trials by connections and generator; of those that are missing, why and what helps."""

    trials: dict[tuple[int, str], list[GeneratorTrial]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)


@dataclass
class _RowField:
    """The generators that are there, with their commands, and the server that all ask."""

    generators: dict[str, tuple[_Play, list[str]]] = field(default_factory=dict)
    server: list[str] = field(default_factory=list)


def figures(
    profile: str, repository: Path, say: Callable[[str], None], may_install: Permission
) -> list[BenchFigure]:
    """Carry out the blocks and make figures of them."""
    measured = MeasuredGenerators()
    workshop = PartBuilds(repository, say, may_install=may_install)
    there = _find(workshop, repository, measured.missing)
    count, _, connections = BLOCKS[profile]
    if there.server:
        for number in connections:
            names = ", ".join(there.generators)
            say(f"http: {number} connections, {count} blocks of {names}")
            _play_blocks(measured, there, number, profile)
    return figures_of(measured, connections, whole=profile != "smoke")


def _find(workshop: PartBuilds, repository: Path, missing: dict[str, str]) -> _RowField:
    """Find the generators that can take part; the reasons of the others go into ``missing``."""
    there = _RowField()
    try:
        command = workshop.prepare(engine_part(repository, "http")).command("")
    except Unavailable as unavailable:
        remedy = f"; {unavailable.remedy}" if unavailable.remedy else ""
        missing[ENGINE] = f"wirelab's engine: {unavailable.reason}{remedy}"
    else:
        there.generators[ENGINE] = (by_engine, command)
        there.server = [command[0], "null-http"]
    for name, (play, remedy) in OTHERS.items():
        if found := shutil.which(name):
            there.generators[name] = (play, [found])
        else:
            missing[name] = f"{name} is not installed; {remedy}"
    return there


def _play_blocks(
    measured: MeasuredGenerators, there: _RowField, connections: int, profile: str
) -> None:
    """Blocks of one trial of each generator, which take turns at being the first."""
    count, seconds, _ = BLOCKS[profile]
    cores = usable_cores()
    cpus, own = (cores[0][:1], cores[1][:1]) if len(cores) > 1 else ([], [])
    names = list(there.generators)
    with tempfile.TemporaryDirectory(prefix="wirelab-bench-") as temporary:
        folder = Path(temporary)
        with null_server(there.server, cpus, folder) as endpoint:
            asked = AskedTrial(endpoint, connections, seconds, own)
            for turn in range(count):
                first = turn % len(names)
                for name in names[first:] + names[:first]:
                    play, command = there.generators[name]
                    done = play(command, asked, folder)
                    if not done.answered:
                        raise BenchError(f"{name}: nothing was answered")
                    measured.trials.setdefault((connections, name), []).append(done)


def figures_of(
    measured: MeasuredGenerators, connections: Sequence[int], *, whole: bool
) -> list[BenchFigure]:
    """For each number of connections: costs, ratios, and what failed. ``whole``: long enough to
    be held against the targets.
    """
    found = []
    for number in connections:
        found += [_cost(measured, number, name) for name in (ENGINE, *OTHERS)]
        found += [_ratio(measured, number, name, whole) for name in OTHERS]
        found.append(_failed(measured, number))
    return found


def _cost(measured: MeasuredGenerators, connections: int, name: str) -> BenchFigure:
    values = [done.per_cpu_second for done in measured.trials.get((connections, name), [])]
    value, interval = _mean(values)
    return BenchFigure(
        benchmark=BENCHMARK,
        name=f"http.{connections}.{name}.cost",
        what=f"HTTP requests a CPU-second, {connections} connections, {name}",
        unit="/CPU-s",
        value=value,
        interval=interval,
        each=list(values),
        better="higher",
        why_not=measured.missing.get(name, ""),
    )


def _ratio(measured: MeasuredGenerators, connections: int, other: str, whole: bool) -> BenchFigure:
    """The engine's over another's: of each block, because what a host does shows in both."""
    own = measured.trials.get((connections, ENGINE), [])
    others = measured.trials.get((connections, other), [])
    values = [a.per_cpu_second / b.per_cpu_second for a, b in zip(own, others, strict=False)]
    value, interval = _mean(values)
    reasons = [measured.missing[name] for name in (ENGINE, other) if name in measured.missing]
    return BenchFigure(
        benchmark=BENCHMARK,
        name=f"http.{connections}.{other}.ratio",
        what=f"the same, engine over {other}",
        unit="x",
        value=value,
        interval=interval,
        each=list(values),
        target=HTTP_RATIO if whole else None,
        better="higher",
        why_not="; ".join(reasons),
    )


def _failed(measured: MeasuredGenerators, connections: int) -> BenchFigure:
    trials = measured.trials.get((connections, ENGINE), [])
    return BenchFigure(
        benchmark=BENCHMARK,
        name=f"http.{connections}.failed",
        what=f"HTTP requests that failed, {connections} connections, engine",
        unit="requests",
        value=float(sum(done.failed for done in trials)) if trials else None,
        target=0.0,
        why_not=measured.missing.get(ENGINE, ""),
    )


def _mean(values: Sequence[float]) -> tuple[float | None, tuple[float, float] | None]:
    """The geometric mean, which of ratios is the inverse of that of their inverses."""
    if not values:
        return None, None
    mean = math.exp(sum(map(math.log, values)) / len(values))
    return mean, trials_interval(mean, values)
