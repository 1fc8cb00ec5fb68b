"""A closed load in a plan: steps of so many ticks of each lane."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.model.load import Closed
from wirelab.model.measure import Measure
from wirelab.model.planned import PlannedClosed, PlannedStep
from wirelab.model.scenario import Scenario
from wirelab.model.steps import SizeError, measured_ticks_of, ramp_of, settling_of
from wirelab.model.units import Scalar
from wirelab.plan.sizes import sizes_of

_SHARE_OF_THE_MOST = 10
"""Share of the most that an operation may take which it is expected to take."""

_CALLS_NS = 1_000
"""No call is so short: a lane of a ramp has more ticks than it has time for."""


def planned(
    load: Closed, scenario: Scenario, measure: Measure, parameters: Mapping[str, Scalar]
) -> PlannedClosed:
    """The steps of a profile; raises SizeError as ``planned_steps`` does."""
    steps = planned_steps(scenario, measure, parameters)
    about = [_about_ns(scenario.steps[step.name].about, load, step) for step in steps]
    return PlannedClosed(at_most_ns=load.at_most, about_ns=sum(about), steps=steps)


def _about_ns(said: int | None, load: Closed, step: PlannedStep) -> int:
    if step.ramp_ns:
        return step.ramp_ns
    return said if said is not None else step.count * load.at_most // _SHARE_OF_THE_MOST


def planned_steps(
    scenario: Scenario, measure: Measure, parameters: Mapping[str, Scalar]
) -> list[PlannedStep]:
    """Steps with their settling, and their own ticks after it; those of a ramp with their time.

    Users join one after the other, as fast as they can: there is no time that they share. Raises
    SizeError for a parameter that is no size, and where users would have to leave.
    """
    steps: list[PlannedStep] = []
    first, before = 0, 0
    for name in measure.steps or scenario.steps:
        step = scenario.steps[name]
        ramp_ns = ramp_of(step, measure)
        settle = 0 if ramp_ns else settling_of(step, measure)
        ticks = ramp_ns // _CALLS_NS or settle + measured_ticks_of(step, measure)
        users, lanes = sizes_of(name, step, parameters)
        if users < before:
            raise SizeError(f"step {name}: {users} users, but {before} are connected already")
        steps.append(
            PlannedStep(
                name=name,
                first=first,
                count=ticks,
                settle=settle,
                users=users,
                lanes=lanes,
                ramp_ns=ramp_ns,
                parameters=step.parameters,
            )
        )
        first, before = first + steps[-1].count, users
    return steps


def expected_ns(planned: PlannedClosed) -> int:
    """Expected length of a trial, which is a guess: it has no schedule."""
    if planned.about_ns is not None:
        return planned.about_ns
    return planned.count * planned.at_most_ns // _SHARE_OF_THE_MOST
