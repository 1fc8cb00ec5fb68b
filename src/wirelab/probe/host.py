"""The host around a trial: CPU time, steal, pressure, loopback traffic, and a canary loop."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

from wirelab.probe.affinity import pinned

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


def read_host() -> HostReading:
    """Figures of the host now."""
    user, nice, system, idle, iowait, irq, softirq, steal = _cpu_ticks()
    received, sent = _loopback()
    return HostReading(
        monotonic_ns=time.monotonic_ns(),
        busy_ns=(user + nice + system + irq + softirq) * _TICK_NS,
        idle_ns=(idle + iowait) * _TICK_NS,
        steal_ns=steal * _TICK_NS,
        pressure_ns=_cpu_pressure(),
        received_bytes=received,
        sent_bytes=sent,
    )


def _cpu_ticks() -> list[int]:
    with Path("/proc/stat").open("rb") as stat:
        return [int(field) for field in stat.readline().split()[1:9]]


def _cpu_pressure() -> int | None:
    try:
        first = Path("/proc/pressure/cpu").read_text().splitlines()[0]
    except OSError:
        return None
    return int(first.rpartition("total=")[2]) * 1000


def _loopback() -> tuple[int, int]:
    for line in Path("/proc/net/dev").read_text().splitlines():
        name, _, figures = line.partition(":")
        if name.strip() == "lo":
            fields = figures.split()
            return int(fields[0]), int(fields[8])
    return 0, 0


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
