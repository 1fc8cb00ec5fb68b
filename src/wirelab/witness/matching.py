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
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from wirelab.witness.exchanges import Exchange
from wirelab.witness.streams import NEVER

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
class NeededRequest:
    """A request that an operation needs: for so many items at the least, and for which."""

    items: int
    names: int = 0
    """Digest of the names; 0: it is not known."""

    def is_met_by(self, exchange: Exchange) -> bool:
        """Whether an exchange asks for all of it."""
        same = 0 in (self.names, exchange.names) or self.names == exchange.names
        return same and (exchange.items is None or exchange.items >= self.items)


@dataclass(frozen=True)
class Matched:
    """By operation, in the order in which they were given; times of CLOCK_MONOTONIC are -1 where
    nothing was seen."""

    outcome: npt.NDArray[np.int8]
    departed_ns: Ints
    arrived_ns: Ints
    size: Ints
    packets: Ints
    exchanges: Sequence[Sequence[Exchange]]
    """The exchanges that it had; where it had none, the one that speaks against it, if any does."""


def matched(
    start_ns: Ints,
    end_ns: Ints,
    needed: Sequence[NeededRequest],
    exchanges: Sequence[Exchange],
    unseen: Ints,
    *,
    looks_back: bool = True,
) -> Matched:
    """Match operations with the requests that each needs; ``unseen`` has rows of begin and end.
    ``looks_back``: what departed before an operation may have been for it.
    """
    if not looks_back:
        exchanges = _by_change(exchanges, min((one.items for one in needed), default=0))
    count = len(start_ns)
    outcome = np.full(count, WireOutcome.ABSENT, dtype=np.int8)
    times = np.full((4, count), -1, dtype=np.int64)
    shown: list[list[Exchange]] = [[] for _ in range(count)]
    answered = sorted(
        (number for number, one in enumerate(exchanges) if one.arrived_ns != NEVER),
        key=lambda number: exchanges[number].arrived_ns,
    )
    hidden = np.zeros(count, dtype=bool)
    for begin, end in unseen:
        hidden |= (start_ns <= end) & (end_ns >= begin)
    in_order = np.argsort(end_ns, kind="stable")
    used: set[int] = set()
    # What was not seen whole takes what the others leave: nobody knows what it had.
    for places in (in_order[~hidden[in_order]], in_order[hidden[in_order]]):
        free: list[tuple[int, int]] = []
        came = 0
        for place in places:
            while came < len(answered) and (
                exchanges[answered[came]].arrived_ns <= end_ns[place] + TOLERANCE_NS
            ):
                if (number := answered[came]) not in used:
                    insort(free, (exchanges[number].departed_ns, number))
                came += 1
            first = bisect_left(free, (int(start_ns[place]) - TOLERANCE_NS, -1))
            taken = _enough(free[first:], needed[place], exchanges)
            if not taken:
                continue
            for one in taken:
                free.remove(one)
                used.add(one[1])
            own = [exchanges[number] for _, number in taken]
            outcome[place] = WireOutcome.SEEN
            shown[place] = own
            times[:, place] = (
                own[0].departed_ns,
                max(one.arrived_ns for one in own),
                sum(one.size for one in own),
                sum(one.packets for one in own),
            )
    left = [one for number, one in enumerate(exchanges) if number not in used]
    left.sort(key=lambda one: one.departed_ns)
    stamps = np.stack([start_ns, end_ns])
    _explain(stamps, needed, outcome, shown, left, looks_back=looks_back)
    outcome[hidden] = WireOutcome.UNSEEN
    departed, arrived, size, packets = times
    return Matched(outcome, departed, arrived, size, packets, shown)


def _by_change(exchanges: Sequence[Exchange], items: int) -> list[Exchange]:
    """Exchanges, of which one that tells of several changes of so many items is one for each: a
    server may tell of what happened between two publishings in one answer. They share its bytes
    and packets.
    """
    told: list[Exchange] = []
    for one in exchanges:
        told_of = one.items or 0
        count = told_of // items if items else 1
        if count < 2:
            told.append(one)
            continue
        packets = max(one.packets // count, 1)
        share = replace(one, items=told_of // count, size=one.size // count, packets=packets)
        told += [share] * count
    return told


def _enough(
    free: Sequence[tuple[int, int]], needed: NeededRequest, exchanges: Sequence[Exchange]
) -> list[tuple[int, int]]:
    """The first of these that asks for all that is needed, and for the least beyond that, or else
    the first that each ask for less and together for as much; none where all do not. Libraries also
    ask for themselves, for less, whether the server is there.
    """
    # One that asks for more is what an operation needs that comes later.
    if fitting := [one for one in free if needed.is_met_by(exchanges[one[1]])]:
        return [min(fitting, key=lambda one: (exchanges[one[1]].items or needed.items, one))]
    taken, asked = [], 0
    for one in free:
        items = exchanges[one[1]].items or 0
        if items >= needed.items:
            continue  # what another operation asks for
        taken.append(one)
        asked += items
        if asked >= needed.items:
            return taken
    return []


def _explain(
    stamps: Ints,
    needed: Sequence[NeededRequest],
    outcome: npt.NDArray[np.int8],
    shown: list[list[Exchange]],
    left: list[Exchange],
    *,
    looks_back: bool,
) -> None:
    """Say what became of the requests of operations that had none within their stamps, which are
    starts and ends.
    """
    before = -_LATELY_NS
    for place in np.argsort(stamps[0], kind="stable"):
        start, end = map(int, stamps[:, place])
        since, before = max(before, start - _LATELY_NS), start
        if needed[place].names:
            since = start - _LATELY_NS  # it is known whose it is
        if outcome[place] != WireOutcome.ABSENT:
            continue
        departed = [one for one in left if since < one.departed_ns <= end]
        enough = [one for one in departed if needed[place].is_met_by(one)]
        inside = [one for one in enough if start <= one.departed_ns and end < one.arrived_ns]
        early = [one for one in enough if one.departed_ns < start and looks_back]
        for found, what in ((inside, WireOutcome.UNANSWERED), (early, WireOutcome.EARLY)):
            if found:
                outcome[place], shown[place] = what, found[:1]
                left.remove(found[0])
                break
