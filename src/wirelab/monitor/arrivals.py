"""Ids of processes and threads that were given since the last look.

The kernel gives ids in rising order and names the latest one in ``/proc/loadavg``, so that what
was started is found without reading the list of all processes. Every few seconds that list is read
all the same: an id may be chosen by whoever starts a process (``clone3``).
"""

from __future__ import annotations

import os
import time
from pathlib import Path

_ALL_EVERY_NS = 5_000_000_000
_MOST_AT_ONCE = 4000
"""Ids to look for one by one; more were given where many thousands are started a second."""

_FIRST_AGAIN = 300
"""The id at which the kernel goes on after the highest one."""


class ArrivedProcesses:
    """The ids to look at, from look to look."""

    def __init__(self) -> None:
        self._loadavg = os.open("/proc/loadavg", os.O_RDONLY)
        self._highest = int(Path("/proc/sys/kernel/pid_max").read_text())
        self._latest: int | None = None
        self._all_again_ns = 0
        self.all_due = False
        """Whether the last look found that everything there is must be looked at."""

    def look(self) -> list[int]:
        """Ids that were given since the last look."""
        before = self._latest
        self._latest = int(os.pread(self._loadavg, 128, 0).split()[-1])
        given = self._between(self._latest if before is None else before, self._latest)
        now = time.monotonic_ns()
        self.all_due = now >= self._all_again_ns or len(given) > _MOST_AT_ONCE
        if self.all_due:
            self._all_again_ns = now + _ALL_EVERY_NS
        return given[:_MOST_AT_ONCE]

    def _between(self, before: int, latest: int) -> list[int]:
        if latest >= before:
            return list(range(before + 1, latest + 1))
        return [*range(before + 1, self._highest), *range(_FIRST_AGAIN, latest + 1)]

    def close(self) -> None:
        """Release the open file."""
        os.close(self._loadavg)
