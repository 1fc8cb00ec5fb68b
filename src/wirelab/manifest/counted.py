"""What no single key of a scenario can show whose instructions are counted."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.manifest.names import must_exist
from wirelab.manifest.problems import Key
from wirelab.model.measure import Measure
from wirelab.model.scenario import Scenario

Findings = Iterator[tuple[Key, str]]


def of_scenario(key: Key, scenario: Scenario) -> Findings:
    """Pairs that do not differ."""
    for name, measure in scenario.profiles.items():
        yield from _profile((*key, "profiles", name), measure, scenario)


def _profile(key: Key, measure: Measure, scenario: Scenario) -> Findings:
    for number, name in enumerate(measure.operations):
        yield from must_exist((*key, "operations", number), "operation", name, scenario.operations)
    if (loops := measure.loops) is None:
        return
    if not scenario.counts_instructions:
        counted = {"more": loops.more, "fewer": loops.fewer}
        for name in (name for name, value in counted.items() if value):
            yield (*key, "loops", name), "only loops under a counter come in pairs"
        if measure.operations:
            yield (*key, "operations"), "only scenarios under a counter choose operations here"
        return
    if not (loops.rounds and loops.more and loops.count == 1):
        yield (
            (*key, "loops"),
            "a count is the difference of two processes with one batch each: expected rounds "
            "and more above 0, and count = 1",
        )
    for name, divisor in loops.fewer.items():
        place = (*key, "loops", "fewer", name)
        yield from must_exist(place, "step", name, scenario.steps)
        if divisor < 1 or loops.rounds % divisor or loops.more % divisor:
            yield place, f"expected a divisor of {loops.rounds} and of {loops.more}"
