"""Priority and processors of a role's threads, as the kernel has them, beside what it was given.

A role inherits both from its keeper, which nobody else has touched by then.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Flag, auto

from wirelab.monitor.proc_files import GONE

_REAL_TIME = frozenset({os.SCHED_FIFO, os.SCHED_RR, 6})  # SCHED_DEADLINE has no name in Python
_BEHIND = frozenset({os.SCHED_BATCH, os.SCHED_IDLE})
_AT_ONCE = 64
"""Threads of a role in one look: each takes three system calls."""


class Deviation(Flag):
    """A difference between what a thread has and what its role was given."""

    RAISED = auto()
    """A higher priority, or a class that comes before those of others."""
    LOWERED = auto()
    ELSEWHERE = auto()
    """A processor that the role was not given."""
    NARROWED = auto()
    """Fewer processors."""


NOTHING = Deviation(0)


@dataclass(frozen=True, slots=True)
class Scheduling:
    """The scheduling of a thread: ``rank`` orders classes, ``nice`` threads of one class."""

    rank: int
    nice: int
    cpus: frozenset[int]

    @staticmethod
    def of(tid: int) -> Scheduling:
        """The scheduling of a thread now; raises ProcessLookupError for one that is gone."""
        policy = os.sched_getscheduler(tid) & ~os.SCHED_RESET_ON_FORK
        rank = (policy in _REAL_TIME) - (policy in _BEHIND)
        cpus = frozenset(os.sched_getaffinity(tid))
        return Scheduling(rank, os.getpriority(os.PRIO_PROCESS, tid), cpus)

    def deviation(self, given: Scheduling) -> Deviation:
        """Compare with what was given."""
        own, its = (self.rank, -self.nice), (given.rank, -given.nice)
        found = NOTHING
        if own > its:
            found |= Deviation.RAISED
        if own < its:
            found |= Deviation.LOWERED
        if not self.cpus <= given.cpus:
            found |= Deviation.ELSEWHERE
        if self.cpus < given.cpus:
            found |= Deviation.NARROWED
        return found


class ScheduledThreads:
    """Threads of a role, some of which are looked at now and then, all in turn."""

    def __init__(self) -> None:
        self._given: Scheduling | None = None
        self._waiting: list[int] = []
        self._deviating: dict[int, Deviation] = {}

    def given_to(self, keeper: int) -> None:
        """Compare with what this process has, which the role inherits."""
        if self._given is None:
            with contextlib.suppress(*GONE):
                self._given = Scheduling.of(keeper)

    def look(self, threads: Iterable[int]) -> None:
        """Look at the next threads in turn; ``threads`` are those that are there."""
        if self._given is None:
            return
        if not self._waiting:
            self._waiting = list(threads)
            there = set(self._waiting)
            self._deviating = {tid: how for tid, how in self._deviating.items() if tid in there}
        turn, self._waiting = self._waiting[:_AT_ONCE], self._waiting[_AT_ONCE:]
        for tid in turn:
            self._deviating.pop(tid, None)
            with contextlib.suppress(*GONE):
                if found := Scheduling.of(tid).deviation(self._given):
                    self._deviating[tid] = found

    def count(self, deviation: Deviation) -> int:
        """Threads that deviated so when they were looked at last."""
        return sum(deviation in found for found in self._deviating.values())
