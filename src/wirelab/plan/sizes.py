"""Sizes of steps that fit each other."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.model.parts import Step
from wirelab.model.steps import SizeError, lanes_of, users_of
from wirelab.model.units import Scalar


def sizes_of(name: str, step: Step, parameters: Mapping[str, Scalar]) -> tuple[int, int]:
    """Users and lanes of a step; SizeError for what is no size, and for a lane without a user."""
    users, lanes = users_of(step, parameters), lanes_of(step, parameters)
    if lanes > users:
        raise SizeError(f"step {name}: {lanes} lanes, but only {users} users")
    return users, lanes
