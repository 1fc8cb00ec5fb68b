"""One counted trial, measured: everything the figures of its cell are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wirelab.cells.clock import clock_facts
from wirelab.cells.operations import Durations, in_order, operation_facts, tick_drift
from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.resources import HOST, RoleUse, loopback_flow, role_use
from wirelab.cells.runtime import RuntimeUse, runtime_use
from wirelab.cells.timelines import Trace, TrialTimelines, trial_timelines
from wirelab.cells.window import Window
from wirelab.gates.facts import TrialFacts
from wirelab.model.run import TrialRecord
from wirelab.model.suite import Scenario
from wirelab.stats.blocks import TimedSamples


@dataclass(frozen=True)
class MeasuredTrial:
    """Durations, use of resources and facts of one trial, over its window."""

    facts: TrialFacts
    window: Window
    service: Mapping[str, TimedSamples]  # by operation, of the successful ones, ns
    response: Mapping[str, TimedSamples]
    drift: TimedSamples
    uses: Mapping[str, RoleUse]  # by role; ``core`` is wirelab itself
    loopback_mb_per_second: tuple[float, float] | None  # received, sent
    runtime: RuntimeUse
    startup_ms: float | None
    timelines: TrialTimelines


def measure(trial: RecordedTrial, scenario: Scenario) -> MeasuredTrial:
    """Read and measure a trial that counts."""
    record, planned = _record(trial), trial.planned
    window = Window.of(planned, _tick0(record))
    samples = in_order(trial.samples())
    operations = {name: scenario.operations[name] for name in planned.operations}
    by_name = {
        name: samples.where(samples.op == operation.code) for name, operation in operations.items()
    }
    durations = {name: Durations.of(chosen) for name, chosen in by_name.items()}
    cuts = {name: whole.within(window).cut(window) for name, whole in durations.items()}
    probe = trial.probe()
    uses = {role: use for role, rows in probe.items() if (use := role_use(rows, window))}
    runtime = runtime_use(trial.events("runtime"), window)
    role = record.roles.get(trial.role)
    facts = TrialFacts(
        record=record,
        operations={
            name: operation_facts(by_name[name], operation, scenario, window)
            for name, operation in operations.items()
        },
        clock=clock_facts(samples, operations, scenario, record, window),
        roles={name: use.facts for name, use in uses.items() if name != HOST},
        window_seconds=window.seconds,
        heap_max_mb=runtime.heap_max_mb,
        heap_kind=runtime.heap_kind,
    )
    return MeasuredTrial(
        facts=facts,
        window=window,
        service={name: service for name, (service, _) in cuts.items()},
        response={name: response for name, (_, response) in cuts.items()},
        drift=tick_drift(samples, window),
        uses=uses,
        loopback_mb_per_second=loopback_flow(probe[HOST], window) if HOST in probe else None,
        runtime=runtime,
        startup_ms=role.startup_ns / 1e6 if role and role.startup_ns is not None else None,
        timelines=trial_timelines(
            planned.id, Trace(durations, probe, runtime, trial.role), window, list(scenario.roles)
        ),
    )


def trial_mean(trial: RecordedTrial, scenario: Scenario, name: str) -> float | None:
    """Mean service time in ms of one operation in the window of a trial that counts."""
    window = Window.of(trial.planned, _tick0(_record(trial)))
    samples = trial.samples()
    samples = samples.where(samples.op == scenario.operations[name].code)
    service = Durations.of(in_order(samples)).within(window).service
    return float(service.mean()) / 1e6 if len(service) else None


def _record(trial: RecordedTrial) -> TrialRecord:
    if trial.record is None:
        raise ValueError(f"{trial.planned.id} has no record")
    return trial.record


def _tick0(record: TrialRecord) -> int:
    if record.tick0_ns is None:
        raise ValueError(f"{record.planned.id} never had a tick 0")
    return record.tick0_ns
