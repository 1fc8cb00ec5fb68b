"""One included trial of a microbenchmark, measured: its loops, of one step or none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from wirelab.cells.clock import started_ns
from wirelab.cells.measured import MeasuredTrial
from wirelab.cells.microbenchmark.loops import RecordedLoop, loops_of
from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.resources import HOST, loopback_flow, role_uses
from wirelab.cells.runtime import runtime_use
from wirelab.cells.scheduling import deviating_threads
from wirelab.cells.timelines import Trace, trial_timelines
from wirelab.cells.window import Window
from wirelab.gates.facts import ClockFacts, LoopFacts, OperationFacts, TrialFacts
from wirelab.model.planned import PlannedLoops
from wirelab.model.scenario import Scenario
from wirelab.model.trial import Judged, TrialRecord

_NOTHING = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class MeasuredMicrobenchmark:
    """A trial, or one step of it; ``whole`` is what every kind of trial has."""

    whole: MeasuredTrial
    loops: Mapping[str, RecordedLoop] = field(default_factory=dict)
    judged: Judged = field(default_factory=Judged)


def measure_microbenchmark(trial: RecordedTrial, scenario: Scenario) -> MeasuredMicrobenchmark:
    """Read and measure a trial that counts, or the step of it that is looked at."""
    record = trial.record
    planned = trial.planned.load
    if record is None or record.window_ns is None or not isinstance(planned, PlannedLoops):
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
                settled=loop.settled(planned.agree) or bool(planned.rounds),
                compiling=0 if planned.rounds else loop.compiling,
                best_ns=loop.best_ns,
                between_ns=loop.between_ns,
                batch_ns=loop.batch_ns,
                failure=loop.failed,
            )
            for name, loop in loops.items()
        },
    )
    return MeasuredMicrobenchmark(_whole(trial, scenario, record, facts), loops, judged)


def _operation_facts(loop: RecordedLoop) -> OperationFacts:
    each = loop.iteration_ns
    failed = 1 if loop.failure else 0
    statuses = {"ok": len(loop.measured), "error": failed}
    return OperationFacts(
        expected=None,
        sent=len(loop.measured) + failed,
        statuses={name: count for name, count in statuses.items() if count},
        missed=0,
        mean_ms=None if each is None else each / 1e6,
        median_ms=None if each is None else each / 1e6,
        second_medians=np.zeros(0),
        delay_p99_ms=None,
        delay_max_ms=None,
        stalls=0,
    )


def _clock_facts(
    loops: Mapping[str, RecordedLoop], record: TrialRecord, scenario: Scenario
) -> ClockFacts:
    """Batches that end before they start, overlap, or lie outside of their worker's life."""
    batches = [
        batch for loop in loops.values() for batch in (*loop.prewarm, *loop.warmup, *loop.measured)
    ]
    begin = started_ns(record, scenario.measured_role) or 0
    end = record.ended_ns or 0
    return ClockFacts(
        backwards=sum(batch.end_ns < batch.start_ns for batch in batches),
        early=0,
        outside=sum(batch.start_ns < begin or batch.end_ns > end for batch in batches),
        off_schedule=0,
        unknown_operations=0,
        before_start=sum(batch.start_ns < (record.tick0_ns or 0) for batch in batches),
        overlapping=sum(
            later.start_ns < before.end_ns
            for before, later in pairwise(sorted(batches, key=lambda batch: batch.start_ns))
        ),
    )


def _whole(
    trial: RecordedTrial, scenario: Scenario, record: TrialRecord, facts: TrialFacts
) -> MeasuredTrial:
    """Resources that the worker's process used from tick 0 to its end."""
    window = Window.of(trial.planned, record)
    monitored = trial.files.monitored
    uses = role_uses(monitored, window)
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
            deviating=deviating_threads(monitored, window),
        ),
        window=window,
        service={},
        response={},
        drift=window.cut(_NOTHING, _NOTHING),
        closed=None,
        uses=uses,
        loopback_mb_per_second=loopback_flow(monitored, window),
        runtime=runtime,
        startup_ms=role.startup_ns / 1e6 if role and role.startup_ns is not None else None,
        timelines=trial_timelines(
            trial.planned.id, Trace({}, {}, monitored, runtime, subject), window, roles
        ),
    )
