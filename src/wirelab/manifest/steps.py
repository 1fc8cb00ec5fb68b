"""What no single key of a scenario's steps can show."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.manifest.problems import Key
from wirelab.model.suite import Measure, Scenario, Step
from wirelab.model.units import Scalar

Findings = Iterator[tuple[Key, str]]

MOST_LANES = 65_536
"""Lanes that a sample's 16 bits can tell apart."""

_SECOND = 1_000_000_000
_SLACK = 1_000_000
"""A period such as 16,666,667 ns does not divide a second: a millisecond is let pass."""

_EXPECTED = "expected a number above 0 or the name of a parameter with one"


def of_scenario(key: Key, scenario: Scenario) -> Findings:
    """Sizes of steps that are missing, do not fit, or shrink."""
    if any(op.due == "join" for op in scenario.operations.values()) and not scenario.steps:
        yield (*key, "operations"), "an operation due at joining needs steps that users join in"
    if scenario.kind == "batches":
        return
    if scenario.steps and scenario.loop != "open":
        yield (*key, "loop"), "steps and lanes need an open loop"
    before = 0
    for name, step in scenario.steps.items():
        place = (*key, "steps", name)
        users = _size(step.users, scenario.parameters)
        if users is None:
            yield (*place, "users"), f"{_EXPECTED}, not {step.users}"
            continue
        if users < before:
            yield (*place, "users"), "users stay connected: a step cannot have fewer than the last"
        before = users
        lanes = users if step.lanes is None else _size(step.lanes, scenario.parameters)
        if lanes is None:
            yield (*place, "lanes"), f"{_EXPECTED}, not {step.lanes}"
        elif lanes > users:
            yield (*place, "lanes"), f"{lanes} lanes of {users} users: each lane is a user"
        elif lanes > MOST_LANES:
            yield (*place, "lanes"), f"a sample can tell apart {MOST_LANES} lanes"


def of_profile(key: Key, measure: Measure, scenario: Scenario) -> Findings:
    """Steps of a profile that are unknown, or too short to settle in."""
    for number, name in enumerate(measure.steps):
        if name not in scenario.steps:
            known = ", ".join(scenario.steps) or "none"
            yield (*key, "steps", number), f'no step "{name}", known: {known}'
    chosen = [scenario.steps[n] for n in measure.steps or scenario.steps if n in scenario.steps]
    if not chosen or scenario.kind == "batches":
        return
    if measure.warmup:
        yield (*key, "warmup"), "a schedule with steps has settle, which each of them leaves out"
    ticks = measure.count // len(chosen)
    settling = {_settling(step, measure) for step in chosen}
    if ticks <= max(settling):
        yield (*key, "count"), f"{ticks} ticks a step leave nothing after settling"
    elif any(op.record == "intervals" for op in scenario.operations.values()):
        odd = [n for n in (ticks, *sorted(settling)) if not _whole_seconds(n * scenario.period)]
        if odd:
            yield (
                (*key, "count"),
                f"{odd[0]} ticks of a step are no whole seconds, by which its intervals are kept",
            )


def _whole_seconds(nanoseconds: int) -> bool:
    return abs(nanoseconds - round(nanoseconds / _SECOND) * _SECOND) <= _SLACK


def _settling(step: Step, measure: Measure) -> int:
    return measure.settle if step.settle is None else step.settle


def _size(said: int | str, parameters: dict[str, Scalar]) -> int | None:
    value = parameters.get(said) if isinstance(said, str) else said
    return value if isinstance(value, int) and value > 0 else None
