"""A closed load in a plan: steps of so many ticks of each lane."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.model.load import Closed
from wirelab.model.measure import Measure
from wirelab.model.planned import PlannedClosed, PlannedStep
from wirelab.model.scenario import Scenario
from wirelab.model.steps import SizeError, counted_of, settling_of
from wirelab.model.units import Scalar
from wirelab.plan.sizes import sizes_of

_SHARE_OF_THE_MOST = 10
"""What an operation may take at most is known: a tenth of that is what it does take."""


def planned(
    load: Closed, scenario: Scenario, measure: Measure, parameters: Mapping[str, Scalar]
) -> PlannedClosed:
    """The steps of a profile; raises SizeError as ``planned_steps`` does."""
    return PlannedClosed(
        at_most_ns=load.at_most, steps=planned_steps(scenario, measure, parameters)
    )


def planned_steps(
    scenario: Scenario, measure: Measure, parameters: Mapping[str, Scalar]
) -> list[PlannedStep]:
    """Steps with their settling, and their own ticks after it.

    Users join one after the other, as fast as they can: there is no time that they share. Raises
    SizeError for a parameter that is no size, and where users would have to leave.
    """
    steps: list[PlannedStep] = []
    first, before = 0, 0
    for name in measure.steps or scenario.steps:
        step = scenario.steps[name]
        settle = settling_of(step, measure)
        users, lanes = sizes_of(name, step, parameters)
        if users < before:
            raise SizeError(f"step {name}: {users} users, but {before} are connected already")
        steps.append(
            PlannedStep(
                name=name,
                first=first,
                count=settle + counted_of(step, measure),
                settle=settle,
                users=users,
                lanes=lanes,
                parameters=step.parameters,
            )
        )
        first, before = first + steps[-1].count, users
    return steps


def expected_ns(planned: PlannedClosed) -> int:
    """How long a trial is expected to take, which is a guess: it has no schedule."""
    return planned.count * planned.at_most_ns // _SHARE_OF_THE_MOST
