"""Sandboxes of roles: start-up and latency of the same trials with them and without, in pairs."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console

from wirelab.bench.figure import BenchError, BenchFigure
from wirelab.bench.targets import SANDBOX_LATENCY
from wirelab.build.permission import Permission
from wirelab.catalog import find_catalog
from wirelab.cells.analysis import analyse
from wirelab.model.planned import PlannedTrial
from wirelab.model.result import Cell, Metric, Result
from wirelab.model.trial import TrialRecord, TrialStatus
from wirelab.plan.selection import SandboxWish, Selection
from wirelab.run.cannot import CannotRunError
from wirelab.run.progress import PlainProgress
from wirelab.run.selection import begin
from wirelab.run.session import Session, guarded
from wirelab.run.setups import TrialSetups
from wirelab.samples.run_folder import RunFolder
from wirelab.stats.ratio import Ratio, within_blocks
from wirelab.stats.trials import trials_interval

BENCHMARK = "sandbox"

_PAIRS = {"smoke": 2, "quick": 12, "publish": 50}
"""By profile: pairs of trials of each contender."""

_TRIALS = "smoke"
"""Profile of the trials themselves, however many there are."""

_JUDGED = ("latency.p50", "response.p50")
_TOLD = (*_JUDGED, "latency.p95", "response.p95", "cpu.mean")
"""Endings of the metrics that have a ratio. Medians alone have a target: p95 of such short trials
and a few ticks of processor time scatter by more than the target leaves."""


@dataclass(frozen=True)
class SandboxedLoad:
    """A scenario, and who takes part in it."""

    suite: str
    scenario: str
    contenders: tuple[str, ...]


LOADS = (
    SandboxedLoad("opcua", "s7", ("asyncua", "open62541")),
    SandboxedLoad("websocket", "stroke", ("axum",)),
)
"""A client in Python, the quickest client, and a server under the engine's load."""


@dataclass(frozen=True)
class SandboxPair:
    """Times in ms of a trial with sandboxes, and of the same without."""

    ready: tuple[float, float]
    """Time from the start of each role's program until it is ready, summed."""
    beside: tuple[float, float]
    """Time of the trial beside its window, in which sandboxes are made and ended."""


@dataclass(frozen=True)
class MeasuredSandbox:
    """The findings of a load: pairs by contender, both results, and who is missing, with why."""

    load: SandboxedLoad
    pairs: dict[str, list[SandboxPair]] = field(default_factory=dict)
    results: tuple[Result, Result] | None = None
    missing: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Side:
    """The trials with sandboxes, or those without."""

    folder: RunFolder
    setups: TrialSetups
    session: Session

    def record(self, trial: PlannedTrial) -> TrialRecord:
        """The record of a trial that was carried out; BenchError where it failed."""
        found = self.folder.read_record(trial.id)
        if found is None or found.status is not TrialStatus.OK:
            why = f"{found.reason}: {found.detail}" if found is not None else "no record"
            raise BenchError(f"trial {trial.id} of {self.folder.path}: {why}")
        return found


@dataclass(frozen=True)
class SandboxBench:
    """The places of the benchmark, and how much it measures."""

    profile: str
    seed: int
    repository: Path
    results: Path
    may_install: Permission
    say: Callable[[str], None]


def figures(bench: SandboxBench) -> list[BenchFigure]:
    """Carry out the pairs and make figures of them.

    Raises InterruptedRun after Ctrl-C, and BenchError for a trial that failed.
    """
    whole = bench.profile != "smoke"
    return [figure for load in LOADS for figure in figures_of(_measured(load, bench), whole=whole)]


def _measured(load: SandboxedLoad, bench: SandboxBench) -> MeasuredSandbox:
    try:
        inside, outside = _side(load, bench, "required"), _side(load, bench, "none")
    except CannotRunError as error:
        return MeasuredSandbox(load, missing=dict.fromkeys(load.contenders, str(error)))
    _carry_out(load, bench, inside, outside)
    pairs: dict[str, list[SandboxPair]] = {}
    for trial in inside.session.run.plan:
        with_it, without = inside.record(trial), outside.record(trial)
        pair = SandboxPair(
            (_ready_ms(with_it), _ready_ms(without)), (_beside_ms(with_it), _beside_ms(without))
        )
        pairs.setdefault(trial.contender, []).append(pair)
    missing = {
        name: "; ".join(part for part in (found.unavailable, found.remedy) if part)
        for name, found in inside.setups.participants.items()
        if found.unavailable
    }
    results = (analyse(inside.folder.path)[0], analyse(outside.folder.path)[0])
    return MeasuredSandbox(load, pairs, results, missing)


def _side(load: SandboxedLoad, bench: SandboxBench, wish: SandboxWish) -> _Side:
    suite = find_catalog(bench.repository, names=[load.suite]).suite(load.suite)
    discarded = suite.scenario(load.scenario).profiles[_TRIALS].discard
    selection = Selection(
        [load.scenario],
        _TRIALS,
        bench.seed,
        trials=_PAIRS[bench.profile] + discarded,
        sandbox=wish,
    )
    setups = TrialSetups(
        suite,
        suite.chosen_contenders(load.contenders),
        selection,
        bench.repository,
        bench.say,
        may_install=bench.may_install,
    )
    folder = begin(setups, bench.results, bench.repository)
    progress = PlainProgress(Console(quiet=True), lambda _: [])
    return _Side(folder, setups, Session(folder, setups, progress))


def _carry_out(load: SandboxedLoad, bench: SandboxBench, inside: _Side, outside: _Side) -> None:
    """Carry each trial out on both sides, one right after the other, in an order drawn for it."""
    chance = random.Random(bench.seed)
    plan = inside.session.run.plan
    bench.say(f"sandbox: {load.suite}/{load.scenario}, {len(plan)} pairs of trials")
    with guarded(inside.session.run.id, outside.session.run.id):
        for trial in plan:
            for side in chance.sample((inside, outside), 2):
                side.session.carry_out_once(trial)


def _ready_ms(record: TrialRecord) -> float:
    return sum(role.startup_ns or 0 for role in record.roles.values()) / 1e6


def _beside_ms(record: TrialRecord) -> float:
    begin_ns, end_ns = record.window_ns or (0, 0)
    return ((record.took_ns or 0) - (end_ns - begin_ns)) / 1e6


# ------------------------------------------------------------------- figures


def figures_of(measured: MeasuredSandbox, *, whole: bool) -> list[BenchFigure]:
    """The ratios of each contender, then what its start takes longer. ``whole``: there are enough
    pairs to hold medians against the target.
    """
    found: list[BenchFigure] = []
    for name in measured.load.contenders:
        found += _ratios(measured, name, is_held=whole)
        found += _starts(measured, name)
    return found


def _ratios(measured: MeasuredSandbox, contender: str, *, is_held: bool) -> list[BenchFigure]:
    load = measured.load
    name = f"{BENCHMARK}.{load.suite}.{contender}"
    if measured.results is None or contender in measured.missing:
        return [
            _ratio_figure(
                f"{name}.latency.p50",
                f"p50 of a sandbox over without, {contender}",
                None,
                measured.missing.get(contender, "not in this run"),
                is_held=is_held,
            )
        ]
    inside, outside = (_cells(result, contender) for result in measured.results)
    return [
        _ratio_figure(
            f"{name}.{key}",
            f"{key} in a sandbox over without, {contender}",
            within_blocks(figure, _as_of(figure, outside[cell].metrics[key])),
            "too few trials for an interval",
            is_held=is_held and key.endswith(_JUDGED),
        )
        for cell, one in inside.items()
        for key, figure in one.metrics.items()
        if key.endswith(_TOLD) and cell in outside and key in outside[cell].metrics
    ]


def _cells(result: Result, contender: str) -> dict[str, Cell]:
    # A step's cell may tell the same trials again.
    return {cell.id: cell for cell in result.cells if cell.contender == contender and not cell.step}


def _as_of(figure: Metric, other: Metric) -> Metric:
    """``other`` as of the blocks of ``figure``: each trial of one was beside one of the other."""
    if figure.by_block is None or other.by_block is None:
        return other
    same = other.by_block.model_copy(update={"of": figure.by_block.of})
    return other.model_copy(update={"by_block": same})


def _ratio_figure(
    name: str, what: str, found: Ratio | None, why_not: str, *, is_held: bool
) -> BenchFigure:
    least, most = SANDBOX_LATENCY
    return BenchFigure(
        benchmark=BENCHMARK,
        name=name,
        what=what,
        unit="x",
        value=found.value if found else None,
        interval=(found.low, found.high) if found else None,
        target=most if is_held else None,
        least=least if is_held else None,
        why_not="" if found else why_not,
    )


def _starts(measured: MeasuredSandbox, contender: str) -> list[BenchFigure]:
    pairs = measured.pairs.get(contender, [])
    name = f"{BENCHMARK}.{measured.load.suite}.{contender}"
    return [
        _longer(f"{name}.ready", f"roles ready later, {contender}", [p.ready for p in pairs]),
        _longer(f"{name}.trial", f"trial beside its load, {contender}", [p.beside for p in pairs]),
    ]


def _longer(name: str, what: str, pairs: Sequence[tuple[float, float]]) -> BenchFigure:
    """The mean of what the sandbox adds, pair by pair."""
    each = [inside - outside for inside, outside in pairs]
    value = sum(each) / len(each) if each else None
    return BenchFigure(
        benchmark=BENCHMARK,
        name=name,
        what=f"{what}, in a sandbox",
        unit="ms",
        value=value,
        interval=trials_interval(value, each, signed=True) if value is not None else None,
        each=list(each),
        why_not="" if each else "not in this run",
    )
