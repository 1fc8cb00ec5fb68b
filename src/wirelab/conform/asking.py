"""Answers that are asked for while a trial runs, and what is written for them."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from .contract import SECOND, Json
from .lanes import due_lanes, is_closed, offset_ns

MOST_A_SECOND = 20
_MOST = 200
_POLL_S = 0.01


class CheckedAsking(NamedTuple):
    """An answer asked for, and when."""

    operation: str
    lane: int
    sent_ns: int


class Asker:
    """Asks at random moments from a thread of its own, until it is ended."""

    def __init__(self, spec: Json, unasked: frozenset[str], start_ns: int, tell: Any) -> None:
        self.sent: list[CheckedAsking] = []
        self._moments = _moments(spec, unasked, random.SystemRandom())
        self._start_ns = start_ns
        self._tell = tell
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._ask, daemon=True)
        self._thread.start()

    def _ask(self) -> None:
        for since_ns, lane, names in self._moments:
            left_ns = self._start_ns + since_ns - time.monotonic_ns()
            if self._over.wait(max(0, left_ns) / SECOND):
                return
            for operation in names:
                self.sent.append(CheckedAsking(operation, lane, time.monotonic_ns()))
                number = len(self.sent) - 1
                self._tell(command="answer", asked=number, operation=operation, lane=lane)

    def end(self) -> None:
        """Ask for no more."""
        self._over.set()
        self._thread.join()


def asked_operations(spec: Json, unasked: frozenset[str]) -> dict[str, Json]:
    """Operations whose answers may be asked for."""
    return {
        name: entry
        for name, entry in spec["operations"].items()
        if (entry["due"], entry["record"]) == ("tick", "samples") and name not in unasked
    }


def _moments(
    spec: Json, unasked: frozenset[str], chance: random.Random
) -> Iterator[tuple[int, int, list[str]]]:
    """Times after tick 0 at which to ask, with the lane and the operations."""
    schedule, operations = spec["schedule"], asked_operations(spec, unasked)
    if not operations or spec.get("batches"):
        return iter(())
    if is_closed(schedule):
        return _at_any_time(schedule, list(operations), chance)
    return iter(_after_ticks(schedule, operations, chance))


def _at_any_time(
    schedule: Json, names: list[str], chance: random.Random
) -> Iterator[tuple[int, int, list[str]]]:
    since_ns = 0
    lanes = min(step["lanes"] for step in schedule["steps"])
    while True:
        since_ns += int(chance.expovariate(2 * MOST_A_SECOND / SECOND))
        yield since_ns, chance.randrange(lanes), [chance.choice(names)]


def _after_ticks(
    schedule: Json, operations: Mapping[str, Json], chance: random.Random
) -> list[tuple[int, int, list[str]]]:
    """Within nine tenths of the period after turns that are drawn, in order."""
    period_ns: int = schedule["period_ns"]
    turns = [
        (tick, lane, names)
        for tick in range(min(schedule["count"], _MOST))
        if (names := [n for n, entry in operations.items() if tick % entry["every"] == 0])
        for lane in due_lanes(schedule, tick)
    ]
    seconds = schedule["count"] * period_ns / SECOND
    most = min(len(turns), _MOST, max(1, int(seconds * MOST_A_SECOND)))
    chosen = chance.sample(turns, most)
    return sorted(
        (offset_ns(schedule, tick, lane) + chance.randrange(period_ns * 9 // 10), lane, names)
        for tick, lane, names in chosen
    )
