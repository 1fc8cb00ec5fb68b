"""The load of a scenario as it is planned for a trial, and how long that takes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import assert_never

from wirelab.model.load import Closed, Microbenchmark, Open, Paced
from wirelab.model.measure import Measure
from wirelab.model.planned import (
    PlannedClosed,
    PlannedLoad,
    PlannedLoops,
    PlannedSchedule,
    PlannedTrial,
)
from wirelab.model.scenario import Scenario
from wirelab.model.units import Scalar
from wirelab.plan import closed, microbenchmark, scheduled

_STARTING_S = 3.0
"""Seconds to start and stop the processes of a trial, as a guess."""

_ANOTHER_S = 0.5
"""The same for each further process of a role that is several, which start one after the other."""


def planned_load(
    scenario: Scenario,
    measure: Measure,
    parameters: Mapping[str, Scalar],
    own_count: int | None = None,
) -> PlannedLoad:
    """The load that a profile asks of a trial; ``own_count`` are the ticks of a variant.

    Raises SizeError for a parameter that is no size, and where sizes of steps do not fit.
    """
    match load := scenario.played:
        case Paced() | Open():
            return scheduled.planned(load, scenario, measure, parameters, own_count)
        case Closed():
            return closed.planned(load, scenario, measure, parameters)
        case Microbenchmark():
            return microbenchmark.planned(load, scenario, measure)
    assert_never(load)


def expected_seconds(trials: Iterable[PlannedTrial]) -> float:
    """Scheduled time of the trials, without starting and stopping, in seconds."""
    return sum(_expected_ns(trial) for trial in trials) / 1e9


def seconds_with_starts(trials: Collection[PlannedTrial]) -> float:
    """Seconds that trials take, with the starting and stopping of their processes."""
    further = sum(trial.load.processes - 1 for trial in trials)
    return expected_seconds(trials) + _STARTING_S * len(trials) + _ANOTHER_S * further


def _expected_ns(trial: PlannedTrial) -> int:
    match load := trial.load:
        case PlannedSchedule():
            return scheduled.expected_ns(load)
        case PlannedClosed():
            return closed.expected_ns(load)
        case PlannedLoops():
            return microbenchmark.expected_ns(load, len(trial.operations))
    assert_never(load)
