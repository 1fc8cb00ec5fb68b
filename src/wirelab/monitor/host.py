"""The host around a trial: CPU time, steal, pressure, loopback traffic."""

from __future__ import annotations

import itertools
import os
import time
from dataclasses import dataclass
from pathlib import Path

_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_PRESSED = ("cpu", "memory", "io")
_A_PROCESSOR = 224
"""Bytes of its line in ``/proc/stat``, at most."""


@dataclass(frozen=True, slots=True)
class HostReading:
    """Cumulative figures of the whole host, in nanoseconds and bytes."""

    monotonic_ns: int
    busy_ns: int
    idle_ns: int
    steal_ns: int
    pressure_ns: int | None
    received_bytes: int
    sent_bytes: int
    cpu_idle_ns: tuple[int, ...] = ()
    """Idle time of each processor, in the order of the kernel."""
    cpu_steal_ns: tuple[int, ...] = ()
    memory_pressure_ns: int | None = None
    io_pressure_ns: int | None = None


class HostFiles:
    """The kernel's figures of the host, in files kept open: reading one is one system call.

    ``network_of`` is a process whose loopback is read.
    """

    def __init__(self, network_of: int) -> None:
        self._stat = os.open("/proc/stat", os.O_RDONLY)
        self._network = os.open(f"/proc/{network_of}/net/dev", os.O_RDONLY)
        self._pressure = {name: _opened(f"/proc/pressure/{name}") for name in _PRESSED}
        self._stat_bytes = 256 + _A_PROCESSOR * (os.cpu_count() or 1)

    def read(self) -> HostReading:
        """Figures of the host now."""
        whole, *each = self._cpu_ticks()
        user, nice, system, idle, iowait, irq, softirq, steal = whole
        received, sent = self._loopback()
        pressure = {name: _total(file) for name, file in self._pressure.items()}
        return HostReading(
            monotonic_ns=time.monotonic_ns(),
            busy_ns=(user + nice + system + irq + softirq) * _TICK_NS,
            idle_ns=(idle + iowait) * _TICK_NS,
            steal_ns=steal * _TICK_NS,
            pressure_ns=pressure["cpu"],
            received_bytes=received,
            sent_bytes=sent,
            cpu_idle_ns=tuple((one[3] + one[4]) * _TICK_NS for one in each),
            cpu_steal_ns=tuple(one[7] * _TICK_NS for one in each),
            memory_pressure_ns=pressure["memory"],
            io_pressure_ns=pressure["io"],
        )

    def close(self) -> None:
        """Release the files."""
        for file in (self._stat, self._network, *self._pressure.values()):
            if file is not None:
                os.close(file)

    def _cpu_ticks(self) -> list[list[int]]:
        """Ticks of all processors together, then of each."""
        lines = os.pread(self._stat, self._stat_bytes, 0).split(b"\n")
        of_processors = itertools.takewhile(lambda line: line.startswith(b"cpu"), lines)
        return [[int(field) for field in line.split()[1:9]] for line in of_processors]

    def _loopback(self) -> tuple[int, int]:
        # The loopback is the first device of its namespace.
        _, found, figures = os.pread(self._network, 1024, 0).partition(b" lo:")
        if not found:
            return 0, 0
        fields = figures.split(None, 9)
        return int(fields[0]), int(fields[8])


def _opened(path: str) -> int | None:
    try:
        return os.open(path, os.O_RDONLY)
    except OSError:
        return None


def _total(pressure: int | None) -> int | None:
    """Nanoseconds in which some task waited."""
    if pressure is None:
        return None
    some = os.pread(pressure, 256, 0).partition(b"\n")[0]
    return int(some.rpartition(b"total=")[2]) * 1000


def clock_source() -> str:
    """The kernel's clock source, such as ``tsc`` or ``kvm-clock``."""
    path = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    try:
        return path.read_text().strip()
    except OSError:
        return "unknown"
