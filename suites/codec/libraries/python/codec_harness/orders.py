"""Commands of the core, looked for between batches.

No event loop and no second thread: while a batch runs, nothing else does.
"""

from __future__ import annotations

import json
import os
import select
import sys
import time
from collections.abc import Callable

_SECOND_NS = 1_000_000_000


class Orders:
    """Reads descriptor ``fd``; end of input means ``stop``."""

    def __init__(self, fd: int = 0) -> None:
        self._fd = fd
        self._pending = b""
        self._start_ns: int | None = None
        self._stopped = False

    def wait_for_start(self, every_second: Callable[[], None]) -> None:
        """Return at the time of ``start``, or at once when told to stop."""
        while self._start_ns is None and not self._stopped:
            self._look(_SECOND_NS)
            every_second()
        while not self.stopped and self._start_ns is not None:
            left_ns = self._start_ns - time.monotonic_ns()
            if left_ns <= 0:
                return
            self._look(left_ns)

    @property
    def stopped(self) -> bool:
        """Whether the core has said ``stop`` or has gone."""
        self._look(0)
        return self._stopped

    def _look(self, wait_ns: int) -> None:
        if self._stopped:
            return
        readable, _, _ = select.select([self._fd], [], [], wait_ns / _SECOND_NS)
        if not readable:
            return
        data = os.read(self._fd, 65536)
        if not data:
            self._stopped = True
            return
        *lines, self._pending = (self._pending + data).split(b"\n")
        for line in lines:
            if line.strip():
                self._obey(line)

    def _obey(self, line: bytes) -> None:
        try:
            command = json.loads(line)
            if command["command"] == "start":
                self._start_ns = int(command["monotonic_ns"])
            elif command["command"] == "stop":
                self._stopped = True
            else:
                print(f"unknown command: {line!r}", file=sys.stderr)
        except (ValueError, KeyError, TypeError):
            print(f"not a command: {line!r}", file=sys.stderr)
