"""Rules that no single key of a microbenchmark can show, and keys that only it may have."""

from __future__ import annotations

from wirelab.manifest.names import must_exist
from wirelab.manifest.problems import Findings, Key
from wirelab.model.measure import Measure
from wirelab.model.scenario import Scenario
from wirelab.model.suite import Suite


def of_scenario(key: Key, scenario: Scenario, suite: Suite) -> Findings:
    """Operations and profiles that do not go with the scenario's load; pairs that do not differ."""
    repeated = scenario.is_microbenchmark
    for name, operation in scenario.operations.items():
        place = (*key, "operations", name)
        if repeated != (operation.record in ("batches", "answers")):
            wanted = '"batches" or "answers"' if repeated else '"samples" or "intervals"'
            yield (*place, "record"), f"this load records {wanted}"
        if operation.floor is not None and operation.floor not in scenario.operations:
            known = ", ".join(scenario.operations)
            yield (*place, "floor"), f'no operation "{operation.floor}", known: {known}'
    if repeated and not scenario.steps:
        yield (*key, "steps"), "a microbenchmark needs steps: what is repeated"
    for name, measure in scenario.profiles.items():
        if repeated and measure.loops is None:
            yield (*key, "profiles", name, "loops"), "a microbenchmark needs loops"
        yield from _counted((*key, "profiles", name), measure, scenario)
    if scenario.reads is not None:
        read = suite.scenarios.get(scenario.reads)
        if read is None or read is scenario:
            others = ", ".join(n for n, s in suite.scenarios.items() if s is not scenario)
            yield (*key, "reads"), f'no other scenario "{scenario.reads}", known: {others}'


def _counted(key: Key, measure: Measure, scenario: Scenario) -> Findings:
    """Check a profile: which operations it counts, and pairs of processes that do not differ."""
    for number, name in enumerate(measure.operations):
        yield from must_exist((*key, "operations", number), "operation", name, scenario.operations)
    if (loops := measure.loops) is None:
        return
    if not scenario.counts_instructions:
        counted = {"more": loops.more, "fewer": loops.fewer}
        for name in (name for name, value in counted.items() if value):
            yield (*key, "loops", name), "only loops under a counter come in pairs"
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
