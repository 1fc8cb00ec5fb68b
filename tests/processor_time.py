"""Processor time of the tests by file, started programs included.

Wall time says little on a machine that others use, and a file that waits costs nobody anything.
"""

from __future__ import annotations

import os
import resource
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

TOLD = 25
"""Files that are told of, those that took most."""

LEAST = "WIRELAB_TEST_LEAST_S"
"""Variable: the processor time of a file that is worth a line, s; 10 where it is not set."""


class Stopwatch:
    """The processor time of this process and of all that it has started and seen the end of."""

    def __init__(self) -> None:
        self._read_s = _used_s()

    def lap(self) -> float:
        """Seconds since it was asked last."""
        before, self._read_s = self._read_s, _used_s()
        return self._read_s - before


@dataclass
class Taken:
    """Time of a file of tests, s; its wall time is that of the process it ran in."""

    processor_s: float = 0.0
    wall_s: float = 0.0


def told(reports: Iterable[Any]) -> Iterator[str]:
    """Lines about the files that took most."""
    least_s = float(os.environ.get(LEAST, "10"))
    taken: dict[str, Taken] = defaultdict(Taken)
    for report in reports:
        if (processor_s := getattr(report, "processor_s", None)) is not None:
            file = taken[report.nodeid.partition("::")[0]]
            file.processor_s += processor_s
            file.wall_s += report.duration
    worth = sorted(
        ((one.processor_s, one.wall_s, name) for name, one in taken.items()), reverse=True
    )
    if lines := [line for line in worth if line[0] >= least_s][:TOLD]:
        whole = sum(one.processor_s for one in taken.values())
        yield f"processor time of all tests {whole:.0f} s, by file (wall time of its process):"
        for processor_s, wall_s, name in lines:
            yield f"{processor_s:7.0f} s ({wall_s:.0f} s) {name}"


def _used_s() -> float:
    own, others = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
