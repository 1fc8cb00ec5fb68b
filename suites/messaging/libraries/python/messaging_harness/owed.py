"""Users to whom the messages of a phase are owed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wirelab_sdk import Step


@dataclass(frozen=True)
class Owed:
    """By the number of a sender's message: to how many users, the first ones, it is owed.

    In an open loop users join while others send: what is sent while a step settles is owed to
    those of the step before it.
    """

    bounds: tuple[tuple[int, int], ...]
    """Numbers from which on so many users are owed a message, the highest first."""

    def to(self, number: int) -> int:
        """Users, from the first one, to whom this message of a sender is owed."""
        for first, users in self.bounds:
            if number >= first:
                return users
        return 0


def everything(users: int) -> Owed:
    """All messages owed to so many users: who joins does so before any is sent."""
    return Owed(((0, users),))


def within(steps: Sequence[Step], per_tick: int) -> Owed:
    """Messages owed to users of ``steps``, of which a sender has ``per_tick`` at each tick."""
    bounds, before = [], 0
    for step in steps:
        bounds.append((step.first * per_tick, min(before, step.users)))
        bounds.append(((step.first + step.settle) * per_tick, step.users))
        before = step.users
    return Owed(tuple(reversed(bounds)))
