"""The steps of a planned trial: which ticks, how many users, what is left out."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.model.measure import Measure
from wirelab.model.parts import Step
from wirelab.model.run import PlannedStep
from wirelab.model.scenario import Scenario
from wirelab.model.steps import SizeError, counted_of, lanes_of, settling_of, users_of
from wirelab.model.units import Scalar


def planned_steps(
    scenario: Scenario, measure: Measure, count: int, parameters: Mapping[str, Scalar]
) -> list[PlannedStep]:
    """The steps a profile carries out; none without steps. ``count`` is that of an open loop.

    Raises SizeError for a parameter that is no size, and where users would have to leave a
    closed loop.
    """
    if scenario.is_microbenchmark:
        return _batch_steps(scenario, measure)
    if scenario.is_closed:
        return _closed_steps(scenario, measure, parameters)
    return _open_steps(scenario, measure, count, parameters)


def _batch_steps(scenario: Scenario, measure: Measure) -> list[PlannedStep]:
    """All within its only tick, as ticks mean nothing there."""
    return [
        PlannedStep(name=name, first=0, count=1, settle=0, users=1, lanes=1, join_ns=0)
        for name in measure.steps or scenario.steps
    ]


def _open_steps(
    scenario: Scenario, measure: Measure, count: int, parameters: Mapping[str, Scalar]
) -> list[PlannedStep]:
    """``count`` ticks are shared evenly."""
    names = measure.steps or list(scenario.steps)
    planned = []
    for number, name in enumerate(names):
        step, ticks = scenario.steps[name], count // len(names)
        settle = settling_of(step, measure)
        users, lanes = _sizes(name, step, parameters)
        settling_ns = settle * scenario.period
        join_ns = settling_ns // 2 if step.join is None else step.join
        if settling_ns:
            join_ns = min(join_ns, settling_ns)
        planned.append(
            PlannedStep(
                name=name,
                first=number * ticks,
                count=ticks,
                settle=settle,
                users=users,
                lanes=lanes,
                join_ns=join_ns,
                parameters=step.parameters,
            )
        )
    return planned


def _closed_steps(
    scenario: Scenario, measure: Measure, parameters: Mapping[str, Scalar]
) -> list[PlannedStep]:
    """Each has its settling and its own ticks after it.

    Users join one after the other, as fast as they can: there is no time that they share.
    """
    planned: list[PlannedStep] = []
    first, before = 0, 0
    for name in measure.steps or scenario.steps:
        step = scenario.steps[name]
        settle = settling_of(step, measure)
        users, lanes = _sizes(name, step, parameters)
        if users < before:
            raise SizeError(f"step {name}: {users} users, but {before} are connected already")
        planned.append(
            PlannedStep(
                name=name,
                first=first,
                count=settle + counted_of(step, measure),
                settle=settle,
                users=users,
                lanes=lanes,
                join_ns=0,
                parameters=step.parameters,
            )
        )
        first, before = first + planned[-1].count, users
    return planned


def _sizes(name: str, step: Step, parameters: Mapping[str, Scalar]) -> tuple[int, int]:
    users, lanes = users_of(step, parameters), lanes_of(step, parameters)
    if lanes > users:
        raise SizeError(f"step {name}: {lanes} lanes, but only {users} users")
    return users, lanes
