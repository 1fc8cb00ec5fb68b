"""Scenarios, operations and roles that a metric is told of."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from wirelab.model.parts import Operation
from wirelab.model.scenario import Kind, Scenario


def _every(_operation: Operation) -> bool:
    return True


def _other_roles(scenario: Scenario) -> Collection[str]:
    return [name for name in scenario.roles if name != scenario.subject_role]


def _generator(scenario: Scenario) -> Collection[str]:
    return [scenario.measured_role]


def _is_load(scenario: Scenario) -> bool:
    return scenario.kind in (Kind.LOAD, Kind.CEILING, Kind.CAPACITY)


def _is_scheduled(scenario: Scenario) -> bool:
    return _is_load(scenario) and scenario.is_scheduled


def _is_closed(scenario: Scenario) -> bool:
    return _is_load(scenario) and not scenario.is_scheduled


def _is_timed(scenario: Scenario) -> bool:
    return not (scenario.counts_instructions or scenario.syncs_of or scenario.stacks_of)


def _is_by_second(operation: Operation) -> bool:
    return operation.record == "intervals"


@dataclass(frozen=True)
class MetricScope:
    """The part of the scenarios that has a metric; ``of`` says it in words."""

    of: str
    scenarios: Callable[[Scenario], bool]
    operations: Callable[[Operation], bool] = _every
    roles: Callable[[Scenario], Collection[str]] = _other_roles


LOADS = MetricScope("loads", _is_load)
SCHEDULED = MetricScope("loads with a schedule", _is_scheduled)
TRENDS = MetricScope(
    "loads whose trends are asked for", lambda scenario: _is_load(scenario) and scenario.trends
)
STEPS = MetricScope("steps of a closed loop", _is_closed)
SERVED = MetricScope(
    "operations that every user of a closed loop does once a step",
    _is_closed,
    lambda operation: operation.due == "step",
)
ASKED = MetricScope(
    "operations that users of a closed loop do, each of them recorded",
    _is_closed,
    lambda operation: operation.due != "join" and operation.record == "samples",
)
JOINING = MetricScope(
    "operations by which users of a closed loop join it",
    _is_closed,
    lambda operation: operation.due == "join",
)
WITNESSED = MetricScope(
    "operations that are looked for on the wire",
    _is_load,
    lambda operation: operation.wire is not None,
)
FOLLOWED = MetricScope(
    "loads of which something is looked for on the wire",
    lambda scenario: _is_load(scenario) and scenario.is_followed,
)
OF_KINDS = MetricScope(
    "operations of several kinds", _is_load, lambda operation: bool(operation.kinds)
)
OUTCOMES = MetricScope(
    "loads, faults, and trials that count sync calls or sample stacks",
    lambda scenario: (
        _is_load(scenario)
        or scenario.observes_faults
        or bool(scenario.syncs_of or scenario.stacks_of)
    ),
)
SYNC_CALLS = MetricScope(
    "operations beside which sync calls are counted",
    lambda scenario: bool(scenario.syncs_of),
    lambda operation: operation.due == "tick",
)
DELIVERED = MetricScope("operations recorded by the second", _is_load, _is_by_second)
GENERATOR = MetricScope(
    "loads with a generator and operations recorded by the second",
    lambda scenario: (
        _is_load(scenario)
        and scenario.has_generator
        and any(map(_is_by_second, scenario.operations.values()))
    ),
    roles=_generator,
)
PROBES = MetricScope("searches for a capacity", lambda scenario: scenario.capacity is not None)
FAULTS = MetricScope("faults", lambda scenario: scenario.observes_faults)
PROCESSES = MetricScope("what is timed", _is_timed)
BESIDE = MetricScope("roles beside the contender's", _is_timed)
TOGETHER = MetricScope(
    "loads with a generator", lambda scenario: _is_timed(scenario) and scenario.has_generator
)
TIMED = MetricScope(
    "operations in batches that are timed",
    lambda scenario: scenario.is_microbenchmark and not scenario.counts_instructions,
    lambda operation: operation.record == "batches",
)
INSTRUCTIONS = MetricScope(
    "operations whose instructions are counted", lambda scenario: scenario.counts_instructions
)
JUDGED = MetricScope("batches, by the suite's judge", lambda scenario: scenario.is_microbenchmark)
