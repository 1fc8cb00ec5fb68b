"""What no single key of a microbenchmark can show."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.manifest.problems import Key
from wirelab.model.scenario import Scenario
from wirelab.model.suite import Suite

Findings = Iterator[tuple[Key, str]]


def of_scenario(key: Key, scenario: Scenario, suite: Suite) -> Findings:
    """Operations and profiles that do not go with the scenario's load."""
    batches = scenario.is_microbenchmark
    for name, operation in scenario.operations.items():
        place = (*key, "operations", name)
        if batches != (operation.record in ("batches", "answers")):
            wanted = '"batches" or "answers"' if batches else '"samples" or "intervals"'
            yield (*place, "record"), f"this load records {wanted}"
        if operation.floor is not None and operation.floor not in scenario.operations:
            known = ", ".join(scenario.operations)
            yield (*place, "floor"), f'no operation "{operation.floor}", known: {known}'
    if batches and not scenario.steps:
        yield (*key, "steps"), "a microbenchmark needs steps: what is repeated"
    for name, measure in scenario.profiles.items():
        if batches != (measure.loops is not None):
            said = "a microbenchmark needs loops" if batches else "only a microbenchmark has loops"
            yield (*key, "profiles", name, "loops"), said
    if scenario.reads is not None:
        read = suite.scenarios.get(scenario.reads)
        if read is None or read is scenario:
            others = ", ".join(n for n, s in suite.scenarios.items() if s is not scenario)
            yield (*key, "reads"), f'no other scenario "{scenario.reads}", known: {others}'
