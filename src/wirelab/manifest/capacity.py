"""Rules about a search for a capacity that no single key can show."""

from __future__ import annotations

from wirelab.manifest.problems import Findings, Key
from wirelab.model.capacity import Capacity
from wirelab.model.measure import Measure
from wirelab.model.parts import Step
from wirelab.model.scenario import Scenario
from wirelab.samples.lanes import MOST_LANES

METRIC = "capacity.verified"
"""The metric that contenders are ranked by, the highest first."""


def of_scenario(key: Key, scenario: Scenario) -> Findings:
    """Check for keys that a scenario with a search for a capacity cannot have."""
    if (capacity := scenario.capacity) is None:
        return
    if scenario.rankings:
        yield (*key, "rankings"), f"a capacity is ranked by {METRIC} and by nothing else"
    if scenario.variants:
        yield (*key, "variants"), "a capacity is searched by its only step: write scenarios instead"
    yield from _load((*key, "capacity"), capacity, scenario)
    if len(scenario.steps) != 1:
        yield (
            (*key, "steps"),
            f"a capacity has one step, which is probed: found {len(scenario.steps)}",
        )
        return
    ((name, step),) = scenario.steps.items()
    if capacity.of == "step":
        yield from _size((*key, "steps", name), capacity, step)
    else:
        yield from _work((*key, "steps", name), capacity, step)


def _load(key: Key, capacity: Capacity, scenario: Scenario) -> Findings:
    if capacity.lowest >= capacity.highest:
        yield (*key, "highest"), f"expected a whole number above lowest = {capacity.lowest}"
    if capacity.of == "step" and capacity.highest > MOST_LANES:
        yield (*key, "highest"), f"a sample can tell apart {MOST_LANES} lanes"
    usual = scenario.parameters.get(capacity.parameter)
    if not isinstance(usual, int) or isinstance(usual, bool):
        yield (
            (*key, "parameter"),
            f'expected the name of a whole-number parameter, and "{capacity.parameter}" is none',
        )


def _work(key: Key, capacity: Capacity, step: Step) -> Findings:
    """The load sets nothing but a parameter, and the step leaves it alone."""
    if capacity.parameter in (step.users, step.lanes):
        yield (*key, "users"), f'"{capacity.parameter}" is searched as the work of a tick'
    if capacity.parameter in step.parameters:
        yield (*key, "parameters"), f'"{capacity.parameter}" is searched: the step cannot set it'


def _size(key: Key, capacity: Capacity, step: Step) -> Findings:
    """The load sets the users or the lanes of the step, and the other one fits all of it."""
    parameter = capacity.parameter
    if parameter not in (step.users, step.lanes):
        yield (*key, "users"), f'expected "{parameter}": what is searched is the size of the step'
    if step.lanes == parameter and isinstance(step.users, int) and step.users < capacity.highest:
        yield (*key, "users"), f"up to {capacity.highest} lanes are probed: each lane is a user"
    if step.users == parameter and isinstance(step.lanes, int) and step.lanes > capacity.lowest:
        yield (*key, "lanes"), f"down to {capacity.lowest} users are probed: each lane is a user"


def of_profile(key: Key, measure: Measure, scenario: Scenario) -> Findings:
    """Check the size of a search; what belongs to trials that are repeated as they are."""
    if scenario.capacity is None:
        return
    if measure.highest is not None:
        lowest, most = scenario.capacity.lowest, scenario.capacity.highest
        if not lowest < measure.highest <= most:
            yield (
                (*key, "highest"),
                f"expected a whole number above lowest = {lowest}, and at most highest = {most}",
            )
    if measure.probes is None:
        yield (*key, "probes"), "missing, expected the most probes that a search may take"
    if measure.discard:
        yield (*key, "discard"), "each probe begins afresh: there is no warm-up to discard"
    if measure.reruns:
        yield (*key, "reruns"), "a search repeats what it is in doubt of: it has no reruns"
    if measure.repeats % 2 == 0:
        yield (*key, "repeats"), "expected an odd number: an even one knows no majority"
