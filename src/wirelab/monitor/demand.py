"""Execution of threads outside of the trial, and their wait for a processor.

Threads that ran lately are looked at in each period. Those that did not are looked at
once a second, a few of them in each period, because there may be thousands: what such a thread ran
before it was seen to run lies somewhere in the second before.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from wirelab.monitor.proc_files import GONE, OpenFiles, ProcFile, still_reads

LOOKS_A_SECOND = 10


@dataclass(slots=True)
class Demanded:
    """Time that threads demanded of the processors."""

    ran_ns: int = 0
    waited_ns: int = 0

    @property
    def ns(self) -> int:
        """Execution and run delay together."""
        return self.ran_ns + self.waited_ns

    def add(self, other: Demanded) -> None:
        """Count another time as well."""
        self.ran_ns += other.ran_ns
        self.waited_ns += other.waited_ns


@dataclass(slots=True)
class _Watched:
    schedstat: ProcFile
    said: bytes = b""
    ran_ns: int = 0
    waited_ns: int = 0
    quiet: int = 0
    """Looks since it was seen to run."""


class Demand:
    """The demand of some threads, cumulative."""

    def __init__(self, files: OpenFiles) -> None:
        self._files = files
        self._active: dict[int, _Watched] = {}
        self._idle: list[dict[int, _Watched]] = [{} for _ in range(LOOKS_A_SECOND)]
        self._turn = 0
        self.placed = Demanded()
        """Demanded since the look before that in which it was seen."""
        self.unplaced = Demanded()
        """Demanded in the second before it was seen, nobody knows when."""

    def add(self, pid: int, tid: int, *, given_lately: bool | None) -> None:
        """Look at a thread from now on; one that is gone again is none.

        ``given_lately``: since the last look, so that all of its demand is of that time; None: it
        was there before anything was looked at.
        """
        if tid in self._active and still_reads(self._active[tid].schedstat):
            return
        with contextlib.suppress(*GONE, PermissionError):
            schedstat = self._files.open(f"/proc/{pid}/task/{tid}/schedstat")
            self._drop(tid)
            self._active[tid] = thread = _Watched(schedstat)
            gained = self._look_at(thread)
            if given_lately:
                self.placed.add(gained)
            elif given_lately is not None:
                self.unplaced.add(gained)

    def look(self) -> None:
        """Take in what was demanded since the last look."""
        for tid, thread in list(self._active.items()):
            try:
                gained = self._look_at(thread)
            except GONE:
                self._drop(tid)
                continue
            self.placed.add(gained)
            thread.quiet = 0 if gained.ns else thread.quiet + 1
            if thread.quiet >= LOOKS_A_SECOND:
                # It will be looked at again in a second.
                self._idle[self._turn][tid] = self._active.pop(tid)
        self._turn = (self._turn + 1) % LOOKS_A_SECOND
        self._look_at_idle(self._idle[self._turn])

    def _look_at_idle(self, idle: dict[int, _Watched]) -> None:
        for tid, thread in list(idle.items()):
            try:
                if thread.schedstat.read() == thread.said:
                    continue
                self.unplaced.add(self._look_at(thread))
            except GONE:
                idle.pop(tid).schedstat.close()
                continue
            thread.quiet = 0
            self._active[tid] = idle.pop(tid)

    def _look_at(self, thread: _Watched) -> Demanded:
        said = thread.schedstat.read()
        if said == thread.said:
            return Demanded()
        ran, waited, _ = map(int, said.split())
        gained = Demanded(max(0, ran - thread.ran_ns), max(0, waited - thread.waited_ns))
        thread.said, thread.ran_ns, thread.waited_ns = said, ran, waited
        return gained

    @property
    def threads(self) -> int:
        """Threads that are looked at."""
        return len(self._active) + sum(map(len, self._idle))

    def _drop(self, tid: int) -> None:
        for threads in (self._active, *self._idle):
            if (thread := threads.pop(tid, None)) is not None:
                thread.schedstat.close()

    def close(self) -> None:
        """Release the open files."""
        for threads in (self._active, *self._idle):
            for thread in threads.values():
                thread.schedstat.close()
            threads.clear()
