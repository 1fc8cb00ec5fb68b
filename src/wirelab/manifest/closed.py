"""Rules that no single key of a closed loop can show, and keys that only a closed loop may have."""

from __future__ import annotations

from itertools import pairwise

from wirelab.manifest.problems import Findings, Key
from wirelab.model.engine import load_by
from wirelab.model.measure import Measure
from wirelab.model.parts import Operation
from wirelab.model.planned import PlannedStep
from wirelab.model.scenario import Scenario
from wirelab.model.steps import SizeError
from wirelab.plan.closed import planned_steps


def of_scenario(key: Key, scenario: Scenario) -> Findings:
    """Check what does not go with the scenario's loop."""
    if not scenario.is_closed:
        yield from _only_when_closed(key, scenario)
        return
    if scenario.reference_only:
        yield (*key, "reference_only"), "what a closed loop gives at most, its contenders show"
    if not scenario.steps:
        yield (*key, "steps"), "a closed loop needs steps"
    if scenario.drift_target is not None:
        yield (*key, "drift_target"), "a closed loop has no schedule to drift from"
    for name, step in scenario.steps.items():
        if step.join is not None:
            yield (*key, "steps", name, "join"), "users of a closed loop join one after the other"
    yield from _ramp(key, scenario)
    for name, operation in scenario.operations.items():
        yield from _marks((*key, "operations", name, "marks"), operation, scenario)


def _ramp(key: Key, scenario: Scenario) -> Findings:
    """Steps of a ramp, which follow each other without a stop."""
    place = (*key, "steps")
    ramps = [name for name, step in scenario.steps.items() if step.ramp]
    if not ramps:
        return
    for name in scenario.steps.keys() - ramps:
        yield (*place, name, "ramp"), "the other steps are of a ramp, and this one has no time"
    for name in ramps:
        said = scenario.steps[name].model_fields_set & {"count", "settle", "about"}
        for other in sorted(said):
            yield (*place, name, other), "a step of a ramp takes a time and no ticks"
    provider = scenario.roles[scenario.measured_role].provider
    if not load_by(provider).ramps:
        yield (*place, ramps[0], "ramp"), f"{provider} has all users of a step begin together"
    for name, operation in scenario.operations.items():
        if operation.due != "tick" or operation.every != 1 or operation.marks:
            yield (
                (*key, "operations", name),
                "nobody knows how many ticks a ramp has: due at each of them, without marks",
            )


def _only_when_closed(key: Key, scenario: Scenario) -> Findings:
    for name, operation in scenario.operations.items():
        place = (*key, "operations", name)
        if operation.due == "step":
            yield (*place, "due"), "only in a closed loop is an operation due once a step"
        if operation.marks:
            yield (*place, "marks"), "only operations of a closed loop have marks"
    for name, step in scenario.steps.items():
        place = (*key, "steps", name)
        if step.count is not None:
            yield (*place, "count"), "only steps of a closed loop count for themselves"
        if step.about is not None:
            yield (*place, "about"), "only a step of a closed loop has no time of its own"
        if step.ramp is not None:
            yield (*place, "ramp"), "only users of a closed loop come and go one after the other"


def _marks(key: Key, operation: Operation, scenario: Scenario) -> Findings:
    marks = operation.marks
    if not marks:
        return
    if operation.due == "join" or operation.record != "samples":
        yield key, "marks need operations with a record each, due at ticks or once a step"
    if marks[0] < 1 or any(a >= b for a, b in pairwise(marks)):
        yield key, "expected whole numbers above 0, each larger than the one before"
        return
    sizes = [
        _operations(operation, step)
        for measure in scenario.profiles.values()
        for step in _planned(scenario, measure)
    ]
    if sizes and marks[-1] > max(sizes):
        yield key, f"{marks[-1]} is never reached: the largest step has {max(sizes)} of them"


def of_profile(key: Key, measure: Measure, scenario: Scenario) -> Findings:
    """Steps whose sizes do not fit, or in which an operation never counts."""
    try:
        steps = planned_steps(scenario, measure, {**scenario.parameters, **measure.parameters})
    except SizeError as error:
        yield (*key, "steps" if measure.steps else "parameters"), str(error)
        return
    for step in (one for one in steps if not one.ramp_ns):
        for name, operation in scenario.operations.items():
            if not _operations(operation, step):
                yield (
                    (*key, "count"),
                    f"{name} is due at every {operation.every}th tick: none of the "
                    f"{step.count - step.settle} measured ticks of {step.name}",
                )


def _planned(scenario: Scenario, measure: Measure) -> list[PlannedStep]:
    """The steps of a profile; none where they do not fit, which is said of them."""
    if any(name not in scenario.steps for name in measure.steps):
        return []
    try:
        return planned_steps(scenario, measure, {**scenario.parameters, **measure.parameters})
    except SizeError:
        return []


def _operations(operation: Operation, step: PlannedStep) -> int:
    """Count an operation in the measured part of a step; once where users join."""
    if operation.due == "join":
        return 1
    if operation.due == "step":
        return step.users
    begin, end = step.first + step.settle, step.first + step.count
    return step.lanes * (-(-end // operation.every) + (-begin // operation.every))
