"""Reports of the worker processes to the process that the core knows."""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import dataclass
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from typing import Any

from wirelab_sdk import RuntimeProbe

HEAP_KIND = "anonymous RSS of the worker processes, an upper bound"


@dataclass(frozen=True)
class Reporting:
    """A worker process's end of the pipe that all of them share.

    A report is far shorter than what a pipe takes in one piece, so reports never mix.
    """

    pipe: Connection

    async def report(self) -> None:
        """Say at once that this process serves, then every second how it is."""
        _end_with_parent()
        async for reading in RuntimeProbe().every_second(time.monotonic_ns()):
            self.pipe.send({**reading, "pid": os.getpid()})


def _end_with_parent() -> None:
    """Leave when the parent has gone without a word, however it went."""
    parent = parent_process()
    if parent is not None:
        asyncio.get_running_loop().add_reader(parent.sentinel, os._exit, 1)


class Reports:
    """The parent's end: the last report of each worker process."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._last: dict[int, dict[str, Any]] = {}
        self._changed = asyncio.Event()
        asyncio.get_running_loop().add_reader(pipe.fileno(), self._read)

    def _read(self) -> None:
        report = self._pipe.recv()
        self._last[report["pid"]] = report
        self._changed.set()

    async def from_processes(self, count: int) -> None:
        """Return when ``count`` processes serve."""
        while len(self._last) < count:
            self._changed.clear()
            await self._changed.wait()

    def reading(self) -> dict[str, Any]:
        """The fields of a ``runtime`` event: sums over the processes, and the worst lag.

        A process that died and was replaced keeps its share of what is counted since the start.
        """
        reports = self._last.values()
        alive = [report for report in reports if _runs(report["pid"])]
        return {
            "heap_bytes": sum(report["heap_bytes"] for report in alive) or None,
            "heap_kind": HEAP_KIND,
            "gc_count": sum(report["gc_count"] for report in reports),
            "gc_pause_ns": sum(report["gc_pause_ns"] for report in reports),
            "loop_lag_ns": max((report["loop_lag_ns"] for report in alive), default=None),
        }


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
