"""One counted trial of batches, measured: its loops by operation, for one step or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from wirelab.cells.clock import started_ns
from wirelab.cells.measured import MeasuredTrial
from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.resources import HOST, loopback_flow, role_uses
from wirelab.cells.runtime import runtime_use
from wirelab.cells.timelines import Trace, trial_timelines
from wirelab.cells.window import Window
from wirelab.gates.facts import ClockFacts, LoopFacts, OperationFacts, TrialFacts
from wirelab.model.run import Judged, TrialRecord
from wirelab.model.scenario import Scenario
from wirelab.samples.batches import Batch, FailedLoop, read

SETTLED_OVER = 3
"""Batches that must agree before code is warm."""

WHISKER = 3.0
"""Quartile distances from the box beyond which a batch is flagged: "far out" (Tukey 1977). Of a
handful of well-behaved batches, one in twelve lies beyond the usual 1.5."""

_NOTHING = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class Loop:
    """What one operation of one step left in one trial."""

    warmup: Sequence[Batch] = ()
    measured: Sequence[Batch] = ()
    allocation: Sequence[Batch] = ()
    failure: FailedLoop | None = None

    @property
    def round_ns(self) -> float | None:
        """Median time of a round over the batches that count."""
        return float(np.median(self._rounds())) if self.measured else None

    @property
    def best_ns(self) -> float | None:
        """Time of a round in the fastest batch that counts: what disturbs only slows down."""
        return float(self._rounds().min()) if self.measured else None

    @property
    def failed(self) -> str:
        """Why it could not be repeated; empty when it could."""
        failure = self.failure
        return f"{failure.error_class}: {failure.message}" if failure else ""

    @property
    def allocated(self) -> float | None:
        """Bytes allocated by a round, where the language can tell."""
        for batches in (self.allocation, self.measured):
            known = [b for b in batches if b.allocated_bytes is not None]
            if known:
                rounds = sum(batch.rounds for batch in known)
                return sum(batch.allocated_bytes or 0 for batch in known) / rounds
        return None

    @property
    def paused(self) -> float | None:
        """Share of the measured time that collections took; None where nobody can tell."""
        known = [b for b in self.measured if b.gc_pause_ns is not None]
        spent = sum(batch.end_ns - batch.start_ns for batch in known)
        return sum(batch.gc_pause_ns or 0 for batch in known) / spent if spent else None

    @property
    def warmup_seconds(self) -> float:
        """Time in warm-up batches."""
        return sum(batch.end_ns - batch.start_ns for batch in self.warmup) / 1e9

    @property
    def outliers(self) -> int:
        """Batches far from the others; they count like any other."""
        rounds = self._rounds()
        low, high = np.percentile(rounds, [25, 75]) if len(rounds) else (0.0, 0.0)
        reach = WHISKER * (high - low)
        return int(np.count_nonzero((rounds < low - reach) | (rounds > high + reach)))

    def settled(self, agree: float) -> bool:
        """Whether the last batches of the warm-up agreed within ``agree`` of their median."""
        last = [batch.round_ns for batch in self.warmup[-SETTLED_OVER:]]
        if len(last) < SETTLED_OVER:
            return False
        middle = float(np.median(last))
        return all(abs(one - middle) <= agree * middle for one in last)

    def _rounds(self) -> npt.NDArray[np.float64]:
        return np.array([batch.round_ns for batch in self.measured])


@dataclass(frozen=True)
class MeasuredBatches:
    """A trial of batches, or one step of it; ``whole`` is what every kind of trial has."""

    whole: MeasuredTrial
    loops: Mapping[str, Loop] = field(default_factory=dict)
    judged: Judged = field(default_factory=Judged)


def measure_batches(trial: RecordedTrial, scenario: Scenario) -> MeasuredBatches:
    """Read and measure a trial that counts, or the step of it that is looked at."""
    record = trial.record
    if record is None or record.window_ns is None or trial.planned.loops is None:
        raise ValueError(f"{trial.planned.id} never had a tick 0")
    loops = loops_of(trial)
    judged = record.judged.get(trial.step, Judged())
    facts = TrialFacts(
        record=record.model_copy(update={"wrong_answers": judged.wrong}),
        operations={name: _operation_facts(loop) for name, loop in loops.items()},
        clock=_clock_facts(loops, record, scenario),
        roles={},
        window_seconds=(record.window_ns[1] - record.window_ns[0]) / 1e9,
        loops={
            name: LoopFacts(
                batches=len(loop.measured),
                outliers=loop.outliers,
                settled=loop.settled(trial.planned.loops.agree) or bool(trial.planned.loops.rounds),
                best_ns=loop.best_ns,
                failure=loop.failed,
            )
            for name, loop in loops.items()
        },
    )
    return MeasuredBatches(_whole(trial, scenario, record, facts), loops, judged)


def loops_of(trial: RecordedTrial) -> dict[str, Loop]:
    """The loops of the step that is looked at, by operation, in the order they ran in."""
    path = trial.files.folder / f"{trial.files.role}.batches.jsonl"
    lines: dict[str, list[Batch | FailedLoop]] = {}
    if trial.step and path.is_file():
        for line in read(path):
            if line.step == trial.step:
                lines.setdefault(line.operation, []).append(line)
    return {name: _loop(own) for name, own in lines.items()}


def _loop(lines: Sequence[Batch | FailedLoop]) -> Loop:
    batches = [line for line in lines if isinstance(line, Batch)]
    failures = [line for line in lines if isinstance(line, FailedLoop)]
    by_phase = {
        phase: [batch for batch in batches if batch.phase == phase]
        for phase in ("warmup", "measure", "allocation")
    }
    return Loop(
        by_phase["warmup"],
        by_phase["measure"],
        by_phase["allocation"],
        failures[0] if failures else None,
    )


def _operation_facts(loop: Loop) -> OperationFacts:
    each = loop.round_ns
    failed = 1 if loop.failure else 0
    statuses = {"ok": len(loop.measured), "error": failed}
    return OperationFacts(
        expected=None,
        sent=len(loop.measured) + failed,
        statuses={name: count for name, count in statuses.items() if count},
        missed=0,
        mean_ms=None if each is None else each / 1e6,
        median_ms=None if each is None else each / 1e6,
        p99_ms=None,
        second_medians=np.zeros(0),
        delay_p99_ms=None,
        delay_max_ms=None,
        stalls=0,
    )


def _clock_facts(loops: Mapping[str, Loop], record: TrialRecord, scenario: Scenario) -> ClockFacts:
    """Batches that end before they start, or lie outside of their worker's life."""
    batches = [batch for loop in loops.values() for batch in (*loop.warmup, *loop.measured)]
    begin = started_ns(record, scenario.measured_role) or 0
    end = record.ended_ns or 0
    return ClockFacts(
        backwards=sum(batch.end_ns < batch.start_ns for batch in batches),
        early=0,
        outside=sum(batch.start_ns < begin or batch.end_ns > end for batch in batches),
        off_schedule=0,
        unknown_operations=0,
    )


def _whole(
    trial: RecordedTrial, scenario: Scenario, record: TrialRecord, facts: TrialFacts
) -> MeasuredTrial:
    """What the worker's process used from tick 0 to its end."""
    begin, end = record.window_ns or (0, 1)
    window = Window.between(begin, end)
    probe = trial.files.probe
    uses = role_uses(probe, window)
    subject = scenario.subject_role
    runtime = runtime_use(trial.files.events("runtime", subject), window)
    role = record.roles.get(subject)
    roles = [name for name in scenario.roles if name in record.roles]
    return MeasuredTrial(
        facts=replace(
            facts,
            roles={name: use.facts for name, use in uses.items() if name != HOST},
            heap_max_mb=runtime.heap_max_mb,
            heap_kind=runtime.heap_kind,
        ),
        window=window,
        service={},
        response={},
        drift=window.cut(_NOTHING, _NOTHING),
        closed=None,
        uses=uses,
        loopback_mb_per_second=loopback_flow(probe, window),
        runtime=runtime,
        startup_ms=role.startup_ns / 1e6 if role and role.startup_ns is not None else None,
        timelines=trial_timelines(
            trial.planned.id, Trace({}, {}, probe, runtime, subject), window, roles
        ),
    )
