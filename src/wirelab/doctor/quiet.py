"""Quietness and evenness of the machine, measured in about half a second."""

from __future__ import annotations

import os
import statistics
import time
from dataclasses import dataclass

from wirelab.monitor.canary import canary
from wirelab.monitor.host import HostFiles

_CANARIES = 20
_SLEEPS = 100
_SLEEP_S = 0.001


@dataclass(frozen=True, slots=True)
class Noise:
    """Figures over the time of a fixed loop repeated twenty times."""

    canary_ns: int
    """Median time of the loop."""
    canary_spread: float
    """(slowest - fastest) / fastest."""
    steal_ratio: float
    """Steal time / all CPU time of the host."""
    foreign_cores: float
    """Cores that other processes kept busy."""
    canaries: tuple[int, ...] = ()
    """Each time of the loop."""


def measure_noise() -> Noise:
    """Measure now; takes about a quarter of a second of one core."""
    files = HostFiles(os.getpid())
    before, own_before = files.read(), time.process_time_ns()
    canaries = [canary([]) for _ in range(_CANARIES)]
    after, own_after = files.read(), time.process_time_ns()
    files.close()
    wall = after.monotonic_ns - before.monotonic_ns
    busy = after.busy_ns - before.busy_ns
    steal = after.steal_ns - before.steal_ns
    everything = busy + steal + after.idle_ns - before.idle_ns
    foreign = busy - (own_after - own_before)
    fastest = min(canaries)
    return Noise(
        canary_ns=round(statistics.median(canaries)),
        canary_spread=(max(canaries) - fastest) / fastest,
        steal_ratio=steal / everything if everything else 0.0,
        foreign_cores=max(0.0, foreign / wall),
        canaries=tuple(canaries),
    )


@dataclass(frozen=True, slots=True)
class TimerGrain:
    """Lateness of the end of a sleep of 1 ms, in nanoseconds."""

    median_ns: int
    p95_ns: int
    max_ns: int


def measure_timer() -> TimerGrain:
    """Measure now; takes about 0.1 s and hardly any CPU."""
    late = []
    for _ in range(_SLEEPS):
        start = time.monotonic_ns()
        time.sleep(_SLEEP_S)
        late.append(time.monotonic_ns() - start - round(_SLEEP_S * 1e9))
    cuts = statistics.quantiles(late, n=20)
    return TimerGrain(round(statistics.median(late)), round(cuts[-1]), max(late))


def pinning_refused() -> str:
    """The reason why this process cannot be pinned to one processor; empty when it can."""
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        os.sched_setaffinity(0, before)
    except OSError as error:
        return error.strerror or str(error)
    return ""
