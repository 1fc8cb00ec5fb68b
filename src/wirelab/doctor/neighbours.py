"""Other processes that use the processors: their names, ids and shares, and nothing else."""

from __future__ import annotations

import time
from dataclasses import dataclass

import psutil

_LOOK_S = 0.5
_MOST = 5

_LEAST_CORES = 0.02
"""The kernel counts in ticks of 10 ms, so that one of them in half a second is as much."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A process of somebody else's."""

    name: str
    pid: int
    cores: float

    def __str__(self) -> str:
        # A process gives itself its name, which may hold what moves a terminal's cursor.
        name = "".join(letter if letter.isprintable() else "?" for letter in self.name)
        return f"{name} (pid {self.pid}) {self.cores:.2f}"


def busiest() -> list[Neighbour]:
    """The five busiest of half a second, the busiest first, without this process and its children.

    A process that began or ended meanwhile is not seen, nor is one of another container.
    """
    before, began = _cpu_seconds(), time.monotonic()
    time.sleep(_LOOK_S)
    after, took = _cpu_seconds(), time.monotonic() - began
    own = {psutil.Process().pid, *(child.pid for child in psutil.Process().children(True))}
    found = [
        Neighbour(name, pid, (seconds - before[pid, name]) / took)
        for (pid, name), seconds in after.items()
        if (pid, name) in before and pid not in own
    ]
    busy = [each for each in found if each.cores > _LEAST_CORES]
    return sorted(busy, key=lambda each: -each.cores)[:_MOST]


def _cpu_seconds() -> dict[tuple[int, str], float]:
    """Processor time of every process that this user may see, by its id and name."""
    return {
        (process.info["pid"], process.info["name"]): sum(process.info["cpu_times"][:2])
        for process in psutil.process_iter(["pid", "name", "cpu_times"])
        if process.info["cpu_times"] is not None
    }
