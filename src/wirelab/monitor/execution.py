"""Execution of processes outside of the trial, from the clock that the kernel keeps of each.

Every process has a clock of the processor time of all its threads, in nanoseconds, which whoever
sees the process may read (``clock_getcpuclockid``), in half a microsecond and without a file. So
each is read at every look, however long it was idle: what it ran lies between the two looks where
its clock says so, and nothing is estimated.

What is busy beside all processes that are known is charged to nobody: it may be a contender's, in
programs too short to be seen.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass

from wirelab.monitor.proc_files import GONE, OpenFiles, ProcFile, still_reads

_OF_ALL_THREADS = 2
"""The scheduler's clock of a process, in the lowest three bits of a clock's number."""


def clock_of(pid: int) -> int:
    """The number of the clock of a process, as the kernel makes it."""
    return (~pid << 3) | _OF_ALL_THREADS


@dataclass(slots=True)
class _Watched:
    clock: int
    file: ProcFile
    """It reads as long as the process is there: an id may be given to another."""
    ran_ns: int = 0


class Execution:
    """The execution of some processes, cumulative."""

    def __init__(
        self, files: OpenFiles, read: Callable[[int], int] = time.clock_gettime_ns
    ) -> None:
        self._files = files
        self._read = read
        self._watched: dict[int, _Watched] = {}
        self.placed_ns = 0
        """Execution since the look before that in which it was seen."""
        self.unplaced_ns = 0
        """Execution of processes that had been missed, at a time that nobody knows."""

    def add(self, pid: int, *, given_lately: bool | None) -> None:
        """Read a process from now on; one that is gone again is none.

        ``given_lately``: since the last look, so that all of its execution is of that time; None:
        it was there before anything was looked at.
        """
        if pid in self._watched and still_reads(self._watched[pid].file):
            return  # an id that was passed over, since it is in use
        self._drop(pid)
        with contextlib.suppress(*GONE, PermissionError):
            watched = _Watched(clock_of(pid), self._files.open(f"/proc/{pid}/schedstat"))
            self._watched[pid] = watched
            gained_ns = self._gained(watched)
            if given_lately:
                self.placed_ns += gained_ns
            elif given_lately is not None:
                self.unplaced_ns += gained_ns

    def look(self) -> None:
        """Take in what was run since the last look."""
        gone = []
        for pid, watched in self._watched.items():
            try:
                if self._read(watched.clock) != watched.ran_ns:
                    self.placed_ns += self._gained(watched)
            except OSError:
                # Of a process that is there, every error is one of the monitor's.
                if still_reads(watched.file):
                    raise
                gone.append(pid)
        for pid in gone:
            self._drop(pid)

    def _gained(self, watched: _Watched) -> int:
        """Execution since the last reading; raises one of GONE where the process is gone."""
        try:
            now_ns = self._read(watched.clock)
        except OSError:  # there is no such clock
            raise ProcessLookupError from None
        watched.file.read()  # the clock was that of this process if it is there even now
        gained, watched.ran_ns = now_ns - watched.ran_ns, now_ns
        return gained

    @property
    def processes(self) -> int:
        """Number of processes that are read."""
        return len(self._watched)

    def _drop(self, pid: int) -> None:
        if (watched := self._watched.pop(pid, None)) is not None:
            watched.file.close()

    def close(self) -> None:
        """Release the open files."""
        for pid in list(self._watched):
            self._drop(pid)
