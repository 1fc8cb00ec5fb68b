"""A closed loop whose service times are known: lanes that each do the next thing when they can.

It is played on a clock of work, which goes three times as slowly where others disturb the host
(``disturbed_host``); all that the contender does itself is work, its stalls included.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from disturbed_host import LIMIT, MS, PERIOD, Ints, Progress, windows

from wirelab.stats.disturbed import DisturbedTime, QuietOperations, disturbed_time, quiet_operations

Draw = Callable[[np.random.Generator], float]

STALL_EVERY, STALL = 2000.0 * MS, 200.0 * MS


@dataclass(frozen=True)
class Loop:
    """``operations`` of all lanes together, each as long as it is drawn.

    ``queue``: one server, first in, first out; else none waits for another. ``rounds``: lanes begin
    together when all have ended. ``stalls``: nothing goes on for 200 ms of every 2 s.
    """

    lanes: int
    operations: int
    takes: Draw
    pause: Draw = lambda _: 0.0
    queue: bool = False
    rounds: bool = False
    stalls: bool = False

    def played(self, seed: int, length: int, duty: float = 0.3) -> Played:
        """The loop beside windows of a length."""
        random = np.random.default_rng([seed, length])
        rows = self._in_rounds(random) if self.rounds else self._one_by_one(random)
        begun, ended, lane = np.array(sorted(rows)).T
        found = windows(random, int(2 * ended.max()), length, duty)
        progress = Progress(found)
        start, end = (progress.time_of(of).astype(np.int64) for of in (begun, ended))
        return Played(
            undisturbed=np.sort(ended - begun).astype(np.int64),
            took=float(ended.max()),
            start=start,
            end=end,
            lane=lane.astype(np.int64),
            windows=found[found[:, 0] < end.max()],
        )

    def _in_rounds(self, random: np.random.Generator) -> list[tuple[float, float, int]]:
        rows, at = [], 0.0
        for _ in range(self.operations // self.lanes):
            ends = [self._served(at, self.takes(random)) for _ in range(self.lanes)]
            rows += [(at, end, lane) for lane, end in enumerate(ends)]
            at = max(ends) + self.pause(random)
        return rows

    def _one_by_one(self, random: np.random.Generator) -> list[tuple[float, float, int]]:
        rows, free = [], 0.0
        ready = [(random.random() * self.pause(random), lane) for lane in range(self.lanes)]
        heapq.heapify(ready)
        for _ in range(self.operations):
            at, lane = heapq.heappop(ready)
            free = self._served(max(at, free) if self.queue else at, self.takes(random))
            rows.append((at, free, lane))
            heapq.heappush(ready, (free + self.pause(random), lane))
        return rows

    def _served(self, at: float, work: float) -> float:
        """The time at which work begun at a time is done, beside the contender's own stalls."""
        while self.stalls:
            since = at % STALL_EVERY
            at += max(0.0, STALL - since)
            left = STALL_EVERY - max(since, STALL)
            if work <= left:
                break
            at, work = at + left, work - left
        return at + work


@dataclass(frozen=True)
class Played:
    """A loop without disturbance, and the same one as seen beside others."""

    undisturbed: Ints
    took: float
    start: Ints
    end: Ints
    lane: Ints
    windows: Ints

    @property
    def span(self) -> tuple[int, int]:
        """From the first begin to the last end."""
        return 0, int(self.end.max())

    def measured(self) -> tuple[DisturbedTime, QuietOperations]:
        """The operations that have a latency."""
        disturbed = disturbed_time(
            self.windows, self.start, self.end, period=PERIOD, limit=LIMIT, in_lanes=True
        )
        return disturbed, quiet_operations(disturbed, self.start, self.end)


def exponential(ms: float) -> Draw:
    """Times with this mean."""
    return lambda random: float(random.exponential(ms * MS))


def lognormal(ms: float, spread: float) -> Draw:
    """Times around this median."""
    return lambda random: float(random.lognormal(np.log(ms * MS), spread))


def mixed(random: np.random.Generator) -> float:
    """1 ms, and 60 ms of 5 %."""
    return (60.0 if random.random() < 0.05 else 1.0) * lognormal(1, 0.1)(random)


def heavy(random: np.random.Generator) -> float:
    """A tail of 1/x^1.5."""
    return float(MS / random.random() ** (1 / 1.5))
