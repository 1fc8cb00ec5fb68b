"""Processor time of the monitor: beside what this machine has, and beside many idle threads."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import wirelab
from wirelab.bench.figure import BenchError, BenchFigure
from wirelab.bench.targets import HARNESS_CPU
from wirelab.monitor.census import BESIDE_VARIABLE
from wirelab.monitor.look import Look
from wirelab.stats.trials import trials_interval

BENCHMARK = "monitor"
THREADS = 2_000
"""Idle threads of others, which a desktop with browsers has."""

_EACH = 10
"""Threads of each of their processes."""

_WINDOWS = {"smoke": (2, 0.5), "quick": (10, 3.0), "publish": (20, 5.0)}
"""Number of windows, and the length of each in seconds."""

_SETTLING_S = 0.5
"""Until it has found all that was there at the start."""

CROWD = """
import os, sys, threading
processes, threads = map(int, sys.argv[1:])
threading.stack_size(65536)
(over, ends), (seen, there) = os.pipe(), os.pipe()
for _ in range(processes):
    if not os.fork():
        os.close(ends)
        for _ in range(threads - 1):
            threading.Thread(target=threading.Event().wait, daemon=True).start()
        os.write(there, b".")
        os.read(over, 1)
        os._exit(0)
for _ in range(processes):
    os.read(seen, 1)
print("there", flush=True)
sys.stdin.read()
"""
_CORE = "import sys; sys.stdin.read()"


def figures(profile: str, say: Callable[[str], None]) -> list[BenchFigure]:
    """Share of a core, without the crowd and with it; BenchError where it was not seen.

    Both in a process of their own beside the one that the monitor takes for the core: whoever is
    below the core is no other program.
    """
    alone = _costs(profile, 0, say)
    return [
        _figure("alone", "monitor, beside what this machine has", alone, None),
        _figure(
            "crowd",
            f"monitor, {THREADS:,} idle threads more",
            _costs(profile, THREADS, say),
            HARNESS_CPU if profile != "smoke" else None,
        ),
    ]


def _figure(name: str, what: str, costs: list[float], target: float | None) -> BenchFigure:
    value = sum(costs) / len(costs)
    return BenchFigure(
        benchmark=BENCHMARK,
        name=f"monitor.{name}.cpu",
        what=what,
        unit="%",
        value=value,
        interval=trials_interval(value, costs),
        each=list(costs),
        target=target,
    )


def _costs(profile: str, threads: int, say: Callable[[str], None]) -> list[float]:
    """Per cent of a core in each window."""
    count, seconds = _WINDOWS[profile]
    processes = threads // _EACH
    say(f"monitor: {threads:,} idle threads, {count} windows of {seconds:g} s")
    with (
        _started(sys.executable, "-c", CROWD, str(processes), str(_EACH)) as crowd,
        _started(sys.executable, "-c", _CORE) as core,
        _monitor(core.pid) as monitor,
    ):
        assert crowd.stdout is not None
        crowd.stdout.readline()
        before = _look(monitor).foreign_processes
        _drain(monitor, _SETTLING_S)
        shares = []
        for _ in range(count):
            began, ran = time.monotonic(), _ran_ns(monitor.pid)
            seen = _drain(monitor, seconds)
            shares.append((_ran_ns(monitor.pid) - ran) / 1e7 / (time.monotonic() - began))
        if seen.foreign_processes < max(processes, 1):
            raise BenchError(
                f"the monitor looks at {seen.foreign_processes} processes of others ({before} at "
                f"first), and {processes:,} more are there"
            )
    return shares


@contextmanager
def _started(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that ends with its standard input."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        yield process
    finally:
        process.communicate()


@contextmanager
def _monitor(core: int) -> Iterator[subprocess.Popen[bytes]]:
    """The monitor of a trial, as the core starts it."""
    environment = {**os.environ, "PYTHONPATH": str(Path(wirelab.__file__).parents[1])}
    environment.pop(BESIDE_VARIABLE, None)
    process = subprocess.Popen(
        [sys.executable, "-S", "-P", "-m", "wirelab.monitor.process", str(core), str(os.getpid())],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        yield process
    finally:
        process.communicate(b'{"end": true}\n')


def _look(monitor: subprocess.Popen[bytes]) -> Look:
    """Its next look; BenchError where it has ended."""
    assert monitor.stdout is not None
    line = monitor.stdout.readline()
    if not line:
        raise BenchError("the monitor ended before it was told to")
    return Look.of(line)


def _drain(monitor: subprocess.Popen[bytes], seconds: float) -> Look:
    """Read what it sees for so long; the last look."""
    until = time.monotonic() + seconds
    while True:
        look = _look(monitor)
        if time.monotonic() >= until:
            return look


def _ran_ns(pid: int) -> int:
    """Execution of a process of one thread."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0])
