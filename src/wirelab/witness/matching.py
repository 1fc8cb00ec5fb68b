"""Operations against exchanges: which request and answer belong to which call.

An exchange belongs to an operation where its request departed after the operation had started, and
its answer was there before it ended. Operations that are under way together share a connection;
each exchange is given to one of them at most. Taken by their ends, and each given the earliest
request that it may have, as many of them have one as can have one: who comes later could do less
with an earlier request.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from wirelab.witness.exchanges import NEVER, Exchange

Ints = npt.NDArray[np.int64]

TOLERANCE_NS = 20_000
"""Most error of reading two clocks one after the other."""

_LATELY_NS = 1_000_000_000
"""A request that departed longer before an operation was not made for it."""


class WireOutcome(IntEnum):
    """The wire's record of an operation."""

    SEEN = 0
    ABSENT = 1
    """No request of its own on the wire."""
    UNANSWERED = 2
    """A request, but no full answer before it ended."""
    EARLY = 3
    """Its request had departed before it started."""
    UNSEEN = 4
    """The witness cannot speak of its time."""


@dataclass(frozen=True)
class Matched:
    """By operation, in the order in which they were given; times of CLOCK_MONOTONIC are -1 where
    nothing was seen."""

    outcome: npt.NDArray[np.int8]
    departed_ns: Ints
    arrived_ns: Ints
    size: Ints
    packets: Ints
    exchange: Sequence[Exchange | None]
    """The one that it had; where it had none, the one that speaks against it, if any does."""


def matched(
    start_ns: Ints, end_ns: Ints, items: int, exchanges: Sequence[Exchange], unseen: Ints
) -> Matched:
    """Match operations that each ask for ``items``; ``unseen`` has rows of begin and end."""
    count = len(start_ns)
    outcome = np.full(count, WireOutcome.ABSENT, dtype=np.int8)
    times = np.full((4, count), -1, dtype=np.int64)
    shown: list[Exchange | None] = [None] * count
    answered = sorted(
        (number for number, one in enumerate(exchanges) if one.arrived_ns != NEVER),
        key=lambda number: exchanges[number].arrived_ns,
    )
    free: list[tuple[int, int]] = []
    came = 0
    for place in np.argsort(end_ns, kind="stable"):
        while came < len(answered) and (
            exchanges[answered[came]].arrived_ns <= end_ns[place] + TOLERANCE_NS
        ):
            number = answered[came]
            insort(free, (exchanges[number].departed_ns, number))
            came += 1
        first = bisect_left(free, (int(start_ns[place]) - TOLERANCE_NS, -1))
        taken = _enough(free[first:], items, exchanges)
        if not taken:
            continue
        for one in taken:
            free.remove(one)
        own = [exchanges[number] for _, number in taken]
        outcome[place] = WireOutcome.SEEN
        shown[place] = own[0]
        times[:, place] = (
            own[0].departed_ns,
            max(one.arrived_ns for one in own),
            sum(one.size for one in own),
            sum(one.packets for one in own),
        )
    left = [exchanges[number] for _, number in free]
    left += [exchanges[number] for number in answered[came:]]
    left += [one for one in exchanges if one.arrived_ns == NEVER]
    left = [one for one in left if _asks_for(one, items)]
    _explain(start_ns, end_ns, outcome, shown, sorted(left, key=lambda one: one.departed_ns))
    for begin, end in unseen:
        outcome[(start_ns <= end) & (end_ns >= begin)] = WireOutcome.UNSEEN
    departed, arrived, size, packets = times
    return Matched(outcome, departed, arrived, size, packets, shown)


def _enough(
    free: Sequence[tuple[int, int]], items: int, exchanges: Sequence[Exchange]
) -> list[tuple[int, int]]:
    """The first of these that asks for so many items, or else the first that together do; none
    where all do not. Libraries also ask for themselves, for less, whether the server is there.
    """
    for one in free:
        if _asks_for(exchanges[one[1]], items):
            return [one]
    taken, asked = [], 0
    for one in free:
        taken.append(one)
        asked += exchanges[one[1]].items or 0
        if asked >= items:
            return taken
    return []


def _asks_for(exchange: Exchange, items: int) -> bool:
    return exchange.items is None or exchange.items >= items


def _explain(
    start_ns: Ints,
    end_ns: Ints,
    outcome: npt.NDArray[np.int8],
    shown: list[Exchange | None],
    left: list[Exchange],
) -> None:
    """Say what became of the requests of operations that had none within their stamps."""
    before = -_LATELY_NS
    for place in np.argsort(start_ns, kind="stable"):
        start, end = int(start_ns[place]), int(end_ns[place])
        since, before = max(before, start - _LATELY_NS), start
        if outcome[place] != WireOutcome.ABSENT:
            continue
        inside = [one for one in left if start <= one.departed_ns <= end < one.arrived_ns]
        early = [one for one in left if since < one.departed_ns < start]
        for found, what in ((inside, WireOutcome.UNANSWERED), (early, WireOutcome.EARLY)):
            if found:
                outcome[place], shown[place] = what, found[0]
                left.remove(found[0])
                break
