"""What the host did around a trial, over its measured window."""

from __future__ import annotations

from dataclasses import dataclass

from wirelab.model.run import Environment
from wirelab.monitor import host
from wirelab.monitor.sampler import Sampler


@dataclass(frozen=True)
class Before:
    """What was read just before the trial."""

    canary_ns: int
    load: float


def environment_of(
    window_ns: tuple[int, int] | None, before: Before, sampler: Sampler
) -> Environment | None:
    """Steal, foreign CPU and pressure over the measured window; None when there was none."""
    if window_ns is None:
        return None
    readings = sampler.between(*window_ns)
    if readings is None:
        return None
    first, last = readings
    span = last.monotonic_ns - first.monotonic_ns
    busy, steal = last.busy_ns - first.busy_ns, last.steal_ns - first.steal_ns
    whole = busy + steal + last.idle_ns - first.idle_ns
    ours = sampler.cpu_of_roles(first.monotonic_ns, last.monotonic_ns)
    pressure = None
    if first.pressure_ns is not None and last.pressure_ns is not None:
        pressure = (last.pressure_ns - first.pressure_ns) / span
    return Environment(
        steal_ratio=steal / whole if whole else 0.0,
        foreign_cpu=max(0, busy - ours) / span,
        psi_cpu=pressure,
        canary_ns=before.canary_ns,
        load_before=before.load,
        clock_source=host.clock_source(),
    )
