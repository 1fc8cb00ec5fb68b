"""Size and length of a step, for the plan and for the checks of manifests."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.model.capacity import Capacity
from wirelab.model.measure import Measure
from wirelab.model.mistake import MistakeError
from wirelab.model.parts import Step
from wirelab.model.units import Scalar


class SizeError(MistakeError, ValueError):
    """A parameter that says how many users there are says something else."""


def users_of(step: Step, parameters: Mapping[str, Scalar]) -> int:
    """Connections of a step; SizeError for what is no size."""
    return size_of(step.users, {**parameters, **step.parameters})


def lanes_of(step: Step, parameters: Mapping[str, Scalar]) -> int:
    """Users of a step who send (of a ramp, at its end), all of them unless it says otherwise;
    SizeError as above.
    """
    said = step.users if step.lanes is None else step.lanes
    least = 0 if step.ramp else 1
    return size_of(said, {**parameters, **step.parameters}, least=least)


def settling_of(step: Step, measure: Measure) -> int:
    """Ticks at the start of a step that are in no figure."""
    return measure.settle if step.settle is None else step.settle


def measured_ticks_of(step: Step, measure: Measure) -> int:
    """Ticks of a step of a closed loop that are in the figures: those after settling."""
    return measure.count if step.count is None else step.count


def ramp_of(step: Step, measure: Measure) -> int:
    """Nanoseconds that a step of a ramp takes; 0 for every other step."""
    return (measure.ramp or step.ramp) if step.ramp else 0


def highest_of(capacity: Capacity, measure: Measure) -> int:
    """The highest load that a profile probes."""
    return capacity.highest if measure.highest is None else measure.highest


def size_of(said: int | str, parameters: Mapping[str, Scalar], *, least: int = 1) -> int:
    """A size, or that of the parameter which ``said`` names; SizeError for what is no size."""
    value = parameters.get(said) if isinstance(said, str) else said
    # True is a whole number to Python, and no size to anybody.
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise SizeError(f"{said} = {value}: expected a whole number above {least - 1}")
    return value
