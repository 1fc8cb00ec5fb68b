"""The canary: a fixed loop, whose time tells of the processor's own speed."""

from __future__ import annotations

import time

from wirelab.processes.pinning import pinned

_ITERATIONS = 20_000
_REPEATS = 7


def canary(cpus: list[int]) -> int:
    """Nanoseconds of a fixed loop on ``cpus``: the shortest of seven.

    The shortest is free of interruptions, so a change tells of the processor's own speed
    (frequency, a busy sibling, a throttled machine) rather than of a passing task.
    """
    with pinned(cpus):
        return min(_fixed_loop() for _ in range(_REPEATS))


def _fixed_loop() -> int:
    start = time.perf_counter_ns()
    value = 1
    for _ in range(_ITERATIONS):
        value = (value * 1_103_515_245 + 12_345) & 0x7FFFFFFF
    return time.perf_counter_ns() - start
