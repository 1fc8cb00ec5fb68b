"""A paced or an open load in a plan: ticks at their times, shared evenly by its steps."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.model.load import Open, Paced
from wirelab.model.measure import Measure
from wirelab.model.planned import PlannedSchedule, ScheduledStep
from wirelab.model.scenario import Scenario
from wirelab.model.several import processes_of
from wirelab.model.steps import settling_of
from wirelab.model.units import Scalar
from wirelab.plan.sizes import sizes_of


def planned(
    load: Paced | Open,
    scenario: Scenario,
    measure: Measure,
    parameters: Mapping[str, Scalar],
    own_count: int | None = None,
) -> PlannedSchedule:
    """The ticks of a profile, or ``own_count`` of a variant, which has no warm-up.

    Each step settles for itself; the warm-up comes after the first one has settled. Raises
    SizeError for a parameter that is no size.
    """
    count = own_count or measure.count
    warmup = 0 if own_count else measure.warmup
    steps = _steps(load, scenario, measure, count, parameters)
    if steps:
        count, warmup = steps[-1].first + steps[-1].count, steps[0].settle + warmup
    return PlannedSchedule(
        period_ns=load.period,
        count=count,
        warmup=warmup,
        cycle=load.cycle,
        steps=steps,
        processes=processes_of(scenario.roles[scenario.measured_role], parameters),
    )


def expected_ns(planned: PlannedSchedule) -> int:
    """Expected length of a trial: that of its schedule."""
    return planned.count * planned.period_ns


def _steps(
    load: Paced | Open,
    scenario: Scenario,
    measure: Measure,
    count: int,
    parameters: Mapping[str, Scalar],
) -> list[ScheduledStep]:
    names = measure.steps or list(scenario.steps)
    steps = []
    for number, name in enumerate(names):
        step, ticks = scenario.steps[name], count // len(names)
        settle = settling_of(step, measure)
        users, lanes = sizes_of(name, step, parameters)
        settling_ns = settle * load.period
        join_ns = settling_ns // 2 if step.join is None else step.join
        if settling_ns:
            join_ns = min(join_ns, settling_ns)
        steps.append(
            ScheduledStep(
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
    return steps
