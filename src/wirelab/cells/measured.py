"""One included trial, measured: everything the figures of its cell are made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

import numpy as np

from wirelab.cells.between_operations import between_operations
from wirelab.cells.between_ticks import busy_blocks
from wirelab.cells.clock import clock_facts
from wirelab.cells.closed import ClosedFigures, closed_figures
from wirelab.cells.connections import connections_opened
from wirelab.cells.disturbed import is_censored, trial_disturbed
from wirelab.cells.down import answered_while_down
from wirelab.cells.operation_times import service_times
from wirelab.cells.operations import OperationDurations, tick_drift
from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.recorded_operations import DurationSamples
from wirelab.cells.resources import (
    HOST,
    RoleUse,
    loopback_flow,
    resolved,
    role_uses,
    seen_on_loopback,
    unseen_seconds,
)
from wirelab.cells.runtime import RuntimeUse, runtime_use, together
from wirelab.cells.scheduling import deviating_threads
from wirelab.cells.spikes import TimedOperations, timed_operations
from wirelab.cells.stolen import stolen_share
from wirelab.cells.timelines import Trace, TrialTimelines, trial_timelines
from wirelab.cells.trends import Trends, trial_trends
from wirelab.cells.trial_files import Samples
from wirelab.cells.trial_operations import TrialOperations, samples_of
from wirelab.cells.window import Window
from wirelab.cells.wire import OnTheWire, WireTraffic, on_the_wire, split_durations, wire_traffic
from wirelab.gates.facts import BusyBlocks, TrialFacts
from wirelab.model.ledger import LedgerEntry
from wirelab.model.parts import Operation
from wirelab.model.planned import PlannedSchedule
from wirelab.model.scenario import Scenario
from wirelab.model.trial import RoleRecord, TrialRecord
from wirelab.model.wire import is_waited_for
from wirelab.stats.blocks import TimedSamples
from wirelab.stats.disturbed import UNDISTURBED, DisturbedTime


@dataclass(frozen=True)
class MeasuredTrial:
    """Durations, use of resources and facts of one trial, over its window."""

    facts: TrialFacts
    window: Window
    service: Mapping[str, DurationSamples]  # by operation, of the successful ones, ns
    response: Mapping[str, DurationSamples]
    drift: TimedSamples
    closed: ClosedFigures | None  # of one step of a closed loop
    uses: Mapping[str, RoleUse]  # by role; ``core`` is wirelab itself
    loopback_mb_per_second: tuple[float, float] | None  # received, sent
    runtime: RuntimeUse
    startup_ms: float | None
    timelines: TrialTimelines
    disturbed: DisturbedTime = UNDISTURBED
    """Time in which nothing has a duration."""
    uncensored: Mapping[str, DurationSamples] = field(default_factory=dict)
    """By metric of durations: all of them, where some were left out or cut off."""
    wire: Mapping[str, OnTheWire] = field(default_factory=dict)
    """By operation; empty where nobody looked."""
    split: Mapping[str, TimedSamples] = field(default_factory=dict)
    """By metric: parts of operations that are looked for on the wire."""
    kinds: Mapping[str, TimedSamples] = field(default_factory=dict)
    """By begin of their metrics: service times of one kind of an operation."""
    traffic: WireTraffic | None = None
    """Everything between the roles; None where nobody looked."""
    trends: Trends = field(default_factory=dict)
    """Trends by what changes; empty where the scenario asks for none."""
    opened: int | None = None
    """Connections opened meanwhile; None where no service counts them."""
    timed: Mapping[str, TimedOperations] = field(default_factory=dict)
    """By operation: what went on while it was under way."""


def measure(trial: RecordedTrial, scenario: Scenario) -> MeasuredTrial:
    """Read and measure a trial that counts, or the step of it that is looked at."""
    record, monitored = _record(trial), trial.files.monitored
    window = Window.of(trial.planned, record, trial.step)
    seen = TrialOperations.of(trial, scenario, window)
    wire = on_the_wire(trial, seen.by_name, seen.sampled, window)
    uses = role_uses(monitored, window, seen.disturbed)
    processes = record.processes_of(scenario.subject_role)
    runtimes = [list(trial.files.events("runtime", process.role)) for process in processes]
    runtime = together(runtime_use(said, window) for said in runtimes)
    service, response = seen.times()
    return MeasuredTrial(
        facts=_facts(seen, record, wire, uses, runtime),
        window=window,
        service=service,
        response=response,
        drift=tick_drift(_at_ticks(seen.samples, seen.operations), window, seen.disturbed),
        closed=closed_figures(window, seen.operations, seen.by_name, seen.disturbed),
        uses=uses,
        loopback_mb_per_second=loopback_flow(monitored, window),
        runtime=runtime,
        startup_ms=_startup_ms(processes),
        timelines=_timelines(seen, record, runtime),
        disturbed=seen.disturbed,
        uncensored=seen.uncensored(wire),
        wire=wire,
        split=split_durations(wire, seen.sampled, window, seen.disturbed),
        kinds=seen.kinds(seen.disturbed),
        traffic=wire_traffic(trial, window),
        trends=_trends(seen, uses),
        opened=connections_opened(trial, scenario, window) if scenario.trends else None,
        timed=timed_operations(trial, scenario, seen.by_name, wire, window, runtimes=runtimes),
    )


def _facts(
    seen: TrialOperations,
    record: TrialRecord,
    wire: Mapping[str, OnTheWire],
    uses: Mapping[str, RoleUse],
    runtime: RuntimeUse,
) -> TrialFacts:
    """Everything that gates look at."""
    trial, scenario, window, disturbed = seen.trial, seen.scenario, seen.window, seen.disturbed
    monitored = trial.files.monitored
    is_contenders = scenario.roles[scenario.measured_role].is_contenders
    return TrialFacts(
        record=record,
        operations=seen.facts,
        clock=clock_facts(trial.files.samples, seen.operations, scenario, record, window),
        roles={name: use.facts for name, use in uses.items() if name != HOST},
        window_seconds=window.working_seconds,
        heap_max_mb=runtime.heap_max_mb,
        heap_kind=runtime.heap_kind,
        resolved=resolved(monitored, window),
        unseen_seconds=unseen_seconds(monitored, window),
        loopback_bytes=seen_on_loopback(monitored[HOST], window) if HOST in monitored else None,
        left_out=_share_left_out(disturbed, window),
        recoveries_ms=tuple((disturbed.recoveries / 1e6).tolist()),
        attracts=trial.attracts,
        deviating=deviating_threads(monitored, window),
        wire={
            name: replace(one.facts, held_up=_held_up(one, scenario, disturbed))
            for name, one in wire.items()
        },
        ledger=_ledger(record, trial.step),
        while_down=answered_while_down(seen.by_name, seen.operations, record.faults),
        between=between_operations(seen.samples, seen.operations, window, disturbed)
        if is_contenders
        else None,
        busy=_busy_blocks(trial, seen.samples, window, scenario) if scenario.is_paced else None,
        stolen=stolen_share(trial, window) if is_censored(scenario) else None,
    )


def _timelines(seen: TrialOperations, record: TrialRecord, runtime: RuntimeUse) -> TrialTimelines:
    """Lines of the whole trial; none of a step, which would only repeat them."""
    trial, scenario = seen.trial, seen.scenario
    if trial.step:
        return TrialTimelines()
    trace = Trace(
        seen.durations,
        seen.recorded.by_second,
        trial.files.monitored,
        runtime,
        scenario.subject_role,
        operations=seen.operations,
        counted=trial.files.intervals,
    )
    roles = [name for name in scenario.roles if record.processes_of(name)]
    return trial_timelines(trial.planned.id, trace, seen.window, roles)


def _trends(seen: TrialOperations, uses: Mapping[str, RoleUse]) -> Trends:
    """Trends where the scenario asks for them; of the subject's memory where all was seen: nobody
    knows what it held in the rest of a window.
    """
    if not seen.scenario.trends:
        return {}
    subject = seen.scenario.subject_role
    rows = seen.trial.files.monitored[subject] if subject in uses else None
    return trial_trends(rows, seen.quiet, seen.window)


def _held_up(seen: OnTheWire, scenario: Scenario, disturbed: DisturbedTime) -> float | None:
    """Share of the operations' time that a generator added; None of clients that are measured.

    Of too little quiet time it is that of all time, which others made no shorter.
    """
    if not scenario.has_generator:
        return None
    waits = scenario.is_closed or scenario.waits_in_lanes
    found = seen.times.held_up(disturbed, waits_for_answers=waits)
    return seen.times.held_up(UNDISTURBED, waits_for_answers=waits) if found is None else found


def _ledger(record: TrialRecord, step: str) -> Mapping[str, LedgerEntry]:
    """Entries of a step; those of the whole trial where these lack something: a step may be shorter
    than the time between two counts.
    """
    lacking = {name: one for name, one in record.ledger.items() if one.served < one.claimed}
    return {**record.ledger_steps.get(step, record.ledger), **lacking}


def _startup_ms(processes: Sequence[RoleRecord]) -> float | None:
    """From start to ready; the mean of several processes, which start one after the other."""
    known = [one.startup_ns / 1e6 for one in processes if one.startup_ns is not None]
    return fmean(known) if known else None


def _busy_blocks(
    trial: RecordedTrial, samples: Samples, window: Window, scenario: Scenario
) -> BusyBlocks | None:
    """Processor time of a contender's client at its ticks and between them; None of a generator,
    where some operations have no record each, and where they are waited for: whoever asks again and
    again until something has changed works between its ticks.
    """
    record, role = _record(trial), scenario.measured_role
    rows = trial.files.monitored.get(role)
    operations = [scenario.operations[name] for name in trial.planned.operations]
    each = all(one.record == "samples" for one in operations)
    if any(one.wire is not None and is_waited_for(one.wire) for one in operations):
        return None
    if rows is None or not each or not len(samples) or not scenario.roles[role].is_contenders:
        return None
    if unseen_seconds(trial.files.monitored, window) is not None:
        return None
    load = trial.planned.load
    period_ns = load.period_ns if isinstance(load, PlannedSchedule) else 0
    return busy_blocks(samples, record.pauses, rows, window, period_ns)


def _at_ticks(samples: Samples, operations: Mapping[str, Operation]) -> Samples:
    """The samples of operations that are due at ticks: drift is theirs."""
    joining = [operation.code for operation in operations.values() if operation.due == "join"]
    return samples.where(~np.isin(samples.op, joining)) if joining else samples


def _share_left_out(disturbed: DisturbedTime, window: Window) -> float:
    length = sum(end - begin for begin, end in window.spans)
    return 1 - window.quiet_ns(disturbed) / length if disturbed else 0.0


def trial_mean(trial: RecordedTrial, scenario: Scenario, name: str) -> float | None:
    """Mean service time in ms of one operation in the window of a trial that counts."""
    window = Window.of(trial.planned, _record(trial))
    samples = samples_of(trial, window)
    disturbed = trial_disturbed(trial, samples, window, scenario)
    chosen = samples.where(samples.op == scenario.operations[name].code)
    return service_times(OperationDurations.quiet(chosen, disturbed).within(window)).mean_ms


def _record(trial: RecordedTrial) -> TrialRecord:
    if trial.record is None:
        raise ValueError(f"{trial.planned.id} has no record")
    return trial.record
