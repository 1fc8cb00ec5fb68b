"""State of the host around a trial, over its measured window."""

from __future__ import annotations

from dataclasses import dataclass

from wirelab.model.span import Span
from wirelab.model.trial import Environment
from wirelab.monitor import host
from wirelab.monitor.recorded import Recorded


@dataclass(frozen=True)
class Before:
    """State that was read just before the trial."""

    canary_ns: int
    load: float


def environment_of(
    window_ns: Span | None, before: Before, recorded: Recorded
) -> Environment | None:
    """Steal, foreign CPU and pressure over the measured window; None where it was not covered."""
    looks = None if window_ns is None else recorded.between(*window_ns)
    if looks is None:
        return None
    first, last = (look.host for look in looks)
    span = last.monotonic_ns - first.monotonic_ns
    busy, steal = last.busy_ns - first.busy_ns, last.steal_ns - first.steal_ns
    whole = busy + steal + last.idle_ns - first.idle_ns
    used = [sum(reading.cpu_ns for reading in look.roles.values()) for look in looks]
    pressure = None
    if first.pressure_ns is not None and last.pressure_ns is not None:
        pressure = (last.pressure_ns - first.pressure_ns) / span
    return Environment(
        steal_ratio=steal / whole if whole else 0.0,
        foreign_cpu=max(0, busy - (used[1] - used[0])) / span,
        psi_cpu=pressure,
        canary_ns=before.canary_ns,
        load_before=before.load,
        clock_source=host.clock_source(),
    )
