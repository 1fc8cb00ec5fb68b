"""Answers that the core asks for while a trial runs: at random moments, of random lanes.

The moments are drawn apart from the run's seed, which workers know.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

AT_LEAST = 200
"""Moments of a trial, where it has so many turns: a client that is honest in nine of ten is missed
by them once in a thousand million trials."""

MOST_A_SECOND = 20
"""To put an answer into words takes a worker about a millisecond, so that it stays below 2 %."""

_SECOND = 1_000_000_000
NEVER = 2**63 - 1
"""The time of what is never due."""


class Moment(NamedTuple):
    """A moment after tick 0 at which operations of a lane are asked for."""

    since_ns: int
    lane: int
    operations: tuple[str, ...]
    until_ns: int = NEVER
    """The time from which on the lane is at its next operation, and has no answer to give."""


class SentAsking(NamedTuple):
    """An answer that was asked for, and when on CLOCK_MONOTONIC, before the command was written."""

    operation: str
    lane: int
    sent_ns: int


Tell = Callable[[int, str, int], bool]
"""Ask a worker: number, operation, lane; False where it does not listen."""


def unforeseen() -> random.Random:
    """A generator that nobody can know anything of."""
    return random.SystemRandom()


class Askings:
    """Askings of one trial, in the order of ``moments``; ``sent`` has them by their number."""

    def __init__(self, moments: Iterator[Moment] | None = None, tell: Tell | None = None) -> None:
        self.sent: list[SentAsking] = []
        self._moments = moments or iter(())
        self._tell = tell
        self._tick0_ns = 0
        self._next: Moment | None = None

    def begin(self, tick0_ns: int) -> None:
        """From now on answers are asked for."""
        self._tick0_ns = tick0_ns
        self._next = next(self._moments, None)

    @property
    def next_ns(self) -> int:
        """The time at which the next answer is asked for; the end of time where none is."""
        return NEVER if self._next is None else self._tick0_ns + self._next.since_ns

    @property
    def next_lane(self) -> int:
        """The lane whose answer is asked for next."""
        return 0 if self._next is None else self._next.lane

    def carry_out(self) -> None:
        """Ask for everything that is due, but never for more than a second may bring, nor for what
        is too late: a core that starts to ask when its time is over would accuse an honest client.
        """
        while self._next is not None and self.next_ns <= time.monotonic_ns():
            moment, self._next = self._next, next(self._moments, None)
            if time.monotonic_ns() >= self._tick0_ns + moment.until_ns:
                continue
            for operation in moment.operations:
                sent_ns = time.monotonic_ns()
                if self._has_room(sent_ns) and self._ask(operation, moment.lane):
                    self.sent.append(SentAsking(operation, moment.lane, sent_ns))

    def _has_room(self, now_ns: int) -> bool:
        before = self.sent[-MOST_A_SECOND:]
        return len(before) < MOST_A_SECOND or before[0].sent_ns < now_ns - _SECOND

    def _ask(self, operation: str, lane: int) -> bool:
        return self._tell is not None and self._tell(len(self.sent), operation, lane)
