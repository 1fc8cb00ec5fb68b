"""Rules that no single key of a scenario's steps can show."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wirelab.manifest import closed
from wirelab.manifest.problems import Findings, Key
from wirelab.model.engine import load_by
from wirelab.model.measure import Measure
from wirelab.model.parts import Step
from wirelab.model.scenario import Scenario
from wirelab.model.steps import SizeError, lanes_of, settling_of, users_of
from wirelab.model.units import Scalar
from wirelab.samples.lanes import MOST_LANES

_SECOND = 1_000_000_000
_SLACK = 1_000_000
"""A period such as 16,666,667 ns does not divide a second: a millisecond is let pass."""


def of_scenario(key: Key, scenario: Scenario) -> Findings:
    """Sizes of steps that are missing, do not fit, or shrink."""
    if any(op.due == "join" for op in scenario.operations.values()) and not scenario.steps:
        yield (*key, "operations"), "an operation due at joining needs steps that users join in"
    yield from closed.of_scenario(key, scenario)
    yield from _parameters(key, scenario)
    if scenario.is_microbenchmark:
        return
    if scenario.steps and scenario.is_paced:
        yield (*key, "load", "type"), "steps and lanes need an open or a closed loop"
    yield from _sizes(key, scenario)


def _parameters(key: Key, scenario: Scenario) -> Findings:
    """Parameters of steps that nobody would follow."""
    provider = scenario.roles[scenario.measured_role].provider
    for name, step in scenario.steps.items():
        place = (*key, "steps", name, "parameters")
        if step.parameters and scenario.is_microbenchmark:
            yield place, "steps of a microbenchmark have no parameters: they have operations"
        elif step.parameters and not load_by(provider).follows_steps:
            yield place, f"{provider} has the same parameters in every step"


def _sizes(key: Key, scenario: Scenario) -> Findings:
    before = 0
    for name, step in scenario.steps.items():
        place = (*key, "steps", name)
        users = _size(users_of, step, scenario.parameters)
        if users is None:
            yield (*place, "users"), _expected(step.users)
            continue
        if users < before:
            yield (*place, "users"), "users stay connected: a step cannot have fewer than the last"
        before = users
        lanes = _size(lanes_of, step, scenario.parameters)
        if lanes is None:
            yield (*place, "lanes"), _expected(step.lanes)
        elif lanes > users:
            yield (*place, "lanes"), f"{lanes} lanes of {users} users: each lane is a user"
        elif lanes > MOST_LANES:
            yield (*place, "lanes"), f"a sample can tell apart {MOST_LANES} lanes"


def of_profile(key: Key, measure: Measure, scenario: Scenario) -> Findings:
    """Steps of a profile that are unknown, or too short to settle in."""
    unknown = [(n, name) for n, name in enumerate(measure.steps) if name not in scenario.steps]
    for number, name in unknown:
        known = ", ".join(scenario.steps) or "none"
        yield (*key, "steps", number), f'no step "{name}", known: {known}'
    chosen = [scenario.steps[n] for n in measure.steps or scenario.steps if n in scenario.steps]
    if not chosen or scenario.is_microbenchmark:
        return
    if not scenario.is_closed:
        yield from _ticks(key, measure, scenario, chosen)
    elif not unknown and not any(_sizes(key, scenario)):
        yield from closed.of_profile(key, measure, scenario)


def _ticks(key: Key, measure: Measure, scenario: Scenario, chosen: list[Step]) -> Findings:
    """Ticks that the steps of an open loop share, and what is left of them after settling."""
    ticks = measure.count // len(chosen)
    settling = {settling_of(step, measure) for step in chosen}
    before = max(*settling, settling_of(chosen[0], measure) + measure.warmup)
    if ticks <= before:
        yield (*key, "count"), f"{ticks} ticks a step leave nothing after settling and warming up"
    elif any(op.record == "intervals" for op in scenario.operations.values()):
        left_out = (ticks, *sorted(settling), before)
        odd = [n for n in left_out if not _whole_seconds(n * scenario.period)]
        if odd:
            yield (
                (*key, "count"),
                f"{odd[0]} ticks of a step are no whole seconds, by which its intervals are kept",
            )


def _whole_seconds(nanoseconds: int) -> bool:
    return abs(nanoseconds - round(nanoseconds / _SECOND) * _SECOND) <= _SLACK


def _size(
    read: Callable[[Step, Mapping[str, Scalar]], int], step: Step, parameters: Mapping[str, Scalar]
) -> int | None:
    try:
        return read(step, parameters)
    except SizeError:
        return None


def _expected(said: int | str | None) -> str:
    return f"expected a number above 0 or the name of a parameter with one, not {said}"
