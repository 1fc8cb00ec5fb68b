"""A neighbour of our own: processes that take the processor in seeded bursts, for tests and pages.

Each process is busy and idle in turn, for times that are exponential; a burst is over when its
time is, however much of a processor it got. They are plain processes of no trial: to wirelab's
monitor they are foreign demand. Every process ends with whoever started it, by ``kill -9`` as well
(PR_SET_PDEATHSIG), and when its time is over.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import IO

LONGEST_S = 6 * 3600.0
MEAN_S = 0.5

_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Bursts:
    """The times at which processes are busy. ValueError for what cannot be."""

    duty: float
    """Share of its time that each process is busy."""
    seed: int
    seconds: float
    mean_s: float = MEAN_S

    def __post_init__(self) -> None:
        if not 0 < self.duty <= 1:
            raise ValueError(f"a duty is above 0 and at most 1, and not {self.duty}")
        if not 0 < self.seconds <= LONGEST_S:
            raise ValueError(f"a neighbour stays for at most {LONGEST_S:g} s")
        if self.mean_s <= 0:
            raise ValueError(f"bursts take more than 0 s on average, and not {self.mean_s:g} s")

    def of(self, process: int) -> Iterator[tuple[float, float]]:
        """Begin and end of each burst of a process, in seconds since its start."""
        random = Random(f"{self.seed}:{process}")
        idle_s = self.mean_s * (1 - self.duty) / self.duty
        at = 0.0
        while True:
            begin = at + (random.expovariate(1 / idle_s) if idle_s else 0.0)
            if begin >= self.seconds:
                return
            at = begin + random.expovariate(1 / self.mean_s)
            yield begin, min(at, self.seconds)


class BusyNeighbour:
    """Processes, ``processes`` of them, with bursts of their own; use as a context manager.

    ``log`` gets a line of JSON a burst: ``process``, ``pid``, ``begin_ns`` and ``end_ns``
    (CLOCK_MONOTONIC), and ``cpu_ns`` that it got.
    """

    def __init__(self, bursts: Bursts, log: Path, processes: int = 0) -> None:
        self._bursts = bursts
        self._log = log
        self._number = processes or len(os.sched_getaffinity(0))
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> BusyNeighbour:
        with self._log.open("ab") as log:
            for number in range(self._number):
                self._processes.append(self._started(number, log))
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait()

    @property
    def pids(self) -> list[int]:
        """Its processes."""
        return [process.pid for process in self._processes]

    def wait(self) -> None:
        """Until the time of all processes is over."""
        for process in self._processes:
            process.wait()

    def _started(self, number: int, log: IO[bytes]) -> subprocess.Popen[bytes]:
        asked = json.dumps(asdict(self._bursts) | {"process": number, "parent": os.getpid()})
        return subprocess.Popen(
            [sys.executable, "-m", "wirelab.processes.neighbour", asked],
            stdin=subprocess.DEVNULL,
            stdout=log,
        )


def main() -> None:
    """Be one process of a neighbour."""
    asked = json.loads(sys.argv[1])
    process, parent = asked.pop("process"), asked.pop("parent")
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        return  # it died before it could be asked for
    bursts = Bursts(**asked)
    start_ns = time.monotonic_ns()
    with contextlib.suppress(KeyboardInterrupt):
        for begin, end in bursts.of(process):
            _wait_until(start_ns + round(begin * 1e9))
            _burst(process, start_ns + round(end * 1e9))


def _wait_until(at_ns: int) -> None:
    while (left_ns := at_ns - time.monotonic_ns()) > 0:
        time.sleep(left_ns / 1e9)


def _burst(process: int, until_ns: int) -> None:
    begin_ns, begin_cpu_ns = time.monotonic_ns(), time.process_time_ns()
    while (now_ns := time.monotonic_ns()) < until_ns:
        pass
    line = {
        "process": process,
        "pid": os.getpid(),
        "begin_ns": begin_ns,
        "end_ns": now_ns,
        "cpu_ns": time.process_time_ns() - begin_cpu_ns,
    }
    # One write a line: several processes write to one file.
    os.write(sys.stdout.fileno(), json.dumps(line).encode() + b"\n")


if __name__ == "__main__":
    main()
