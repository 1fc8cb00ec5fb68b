"""The host around a trial: CPU time, steal, pressure, loopback traffic, and a canary loop."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

from wirelab.processes.pinning import pinned

_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_CANARY_ROUNDS = 20_000
_CANARY_REPEATS = 7


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


class HostFiles:
    """The kernel's figures of the host, in files kept open: reading one is one system call."""

    def __init__(self) -> None:
        self._stat = os.open("/proc/stat", os.O_RDONLY)
        self._network = os.open("/proc/net/dev", os.O_RDONLY)
        try:
            self._pressure: int | None = os.open("/proc/pressure/cpu", os.O_RDONLY)
        except OSError:
            self._pressure = None

    def read(self) -> HostReading:
        """Figures of the host now."""
        user, nice, system, idle, iowait, irq, softirq, steal = self._cpu_ticks()
        received, sent = self._loopback()
        return HostReading(
            monotonic_ns=time.monotonic_ns(),
            busy_ns=(user + nice + system + irq + softirq) * _TICK_NS,
            idle_ns=(idle + iowait) * _TICK_NS,
            steal_ns=steal * _TICK_NS,
            pressure_ns=self._cpu_pressure(),
            received_bytes=received,
            sent_bytes=sent,
        )

    def close(self) -> None:
        """Release the files."""
        for file in (self._stat, self._network, self._pressure):
            if file is not None:
                os.close(file)

    def _cpu_ticks(self) -> list[int]:
        first = os.pread(self._stat, 256, 0).partition(b"\n")[0]
        return [int(field) for field in first.split()[1:9]]

    def _cpu_pressure(self) -> int | None:
        if self._pressure is None:
            return None
        some = os.pread(self._pressure, 256, 0).partition(b"\n")[0]
        return int(some.rpartition(b"total=")[2]) * 1000

    def _loopback(self) -> tuple[int, int]:
        # The loopback is the first device of its namespace.
        _, found, figures = os.pread(self._network, 1024, 0).partition(b" lo:")
        if not found:
            return 0, 0
        fields = figures.split(None, 9)
        return int(fields[0]), int(fields[8])


def clock_source() -> str:
    """The kernel's clock source, such as ``tsc`` or ``kvm-clock``."""
    path = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    try:
        return path.read_text().strip()
    except OSError:
        return "unknown"


def canary(cpus: list[int]) -> int:
    """Nanoseconds of a fixed loop on ``cpus``: the shortest of seven.

    The shortest is free of interruptions, so a change tells of the processor's own speed
    (frequency, a busy sibling, a throttled machine) rather than of a passing task.
    """
    with pinned(cpus):
        return min(_fixed_loop() for _ in range(_CANARY_REPEATS))


def _fixed_loop() -> int:
    start = time.perf_counter_ns()
    value = 1
    for _ in range(_CANARY_ROUNDS):
        value = (value * 1_103_515_245 + 12_345) & 0x7FFFFFFF
    return time.perf_counter_ns() - start
