"""Figures that only the runtime of a worker can tell: its heap and its garbage collections."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from wirelab.cells.window import Window

RESOLVED_SECONDS = 10.0
"""Seconds that a step of a closed loop has to last: its ends fall anywhere between two ``runtime``
events, about a second apart, so that counters are known to a tenth.
"""


@dataclass(frozen=True)
class RuntimeUse:
    """Heap and collections within the measured window; None: the runtime does not say."""

    heap_max_mb: float | None = None
    heap_kind: str = ""
    allocated_mb_per_second: float | None = None
    gc_count: float | None = None
    gc_pause_ms: float | None = None
    heap: Sequence[tuple[int, float]] = field(default=())  # (monotonic_ns, MB), all of the trial
    too_short: bool = False  # the runtime says something, but too seldom for this window


def runtime_use(events: Iterable[dict[str, Any]], window: Window) -> RuntimeUse:
    """Read ``runtime`` events, which come about once a second, counters cumulative."""
    said = [event for event in events if isinstance(event.get("monotonic_ns"), int)]
    # No runtime lives on 0 bytes: the JVM says so while it has not counted yet.
    heap = [
        (event["monotonic_ns"], event["heap_bytes"] / 1e6)
        for event in said
        if _figure(event, "heap_bytes") and event["heap_bytes"] > 0
    ]
    inside = [mb for at, mb in heap if window.begin_ns <= at <= window.end_ns]
    kinds = [str(event["heap_kind"]) for event in said if event.get("heap_kind")]
    if window.closed and window.seconds < RESOLVED_SECONDS:
        counted = any(
            _figure(event, name) for event in said for name in ("gc_count", "gc_pause_ns")
        )
        return RuntimeUse(
            heap_max_mb=max(inside) if inside else None,
            heap_kind=kinds[-1] if kinds else "",
            heap=heap,
            too_short=counted or bool(heap),
        )
    pause = _within(said, "gc_pause_ns", window)
    return RuntimeUse(
        heap_max_mb=max(inside) if inside else None,
        heap_kind=kinds[-1] if kinds else "",
        allocated_mb_per_second=_rate(said, "allocated_bytes", window, 1e6),
        gc_count=_within(said, "gc_count", window),
        gc_pause_ms=None if pause is None else pause / 1e6,
        heap=heap,
    )


def together(uses: Iterable[RuntimeUse]) -> RuntimeUse:
    """Use of all processes of a role: sums, and their highest heaps, though not at once."""
    known = list(uses)
    if len(known) == 1:
        return known[0]
    return RuntimeUse(
        heap_max_mb=_sum(use.heap_max_mb for use in known),
        heap_kind=next((use.heap_kind for use in known if use.heap_kind), ""),
        allocated_mb_per_second=_sum(use.allocated_mb_per_second for use in known),
        gc_count=_sum(use.gc_count for use in known),
        gc_pause_ms=_sum(use.gc_pause_ms for use in known),
        too_short=any(use.too_short for use in known),
    )


def _sum(figures: Iterable[float | None]) -> float | None:
    """The sum; None where any process does not say, or there is none."""
    known = list(figures)
    said = [figure for figure in known if figure is not None]
    return sum(said) if said and len(said) == len(known) else None


def _within(said: Iterable[dict[str, Any]], counter: str, window: Window) -> float | None:
    """Growth of a counter in the window: the last value by its end minus the one by its begin."""
    readings = _readings(said, counter, window)
    return float(readings[1][1] - readings[0][1]) if readings else None


def _rate(
    said: Iterable[dict[str, Any]], counter: str, window: Window, unit: float
) -> float | None:
    """Growth of a counter a second, over the time between the two readings."""
    readings = _readings(said, counter, window)
    if readings is None or readings[0] == readings[1]:
        return None
    (first_ns, first), (last_ns, last) = readings
    return (last - first) / unit / ((last_ns - first_ns) / 1e9)


def _readings(
    said: Iterable[dict[str, Any]], counter: str, window: Window
) -> tuple[tuple[int, float], tuple[int, float]] | None:
    """A counter at the begin of the window and at its end, each as it was said last before."""
    values = [(event["monotonic_ns"], event[counter]) for event in said if _figure(event, counter)]
    by_end = [reading for reading in values if reading[0] <= window.end_ns]
    if not by_end:
        return None
    by_begin = [reading for reading in values if reading[0] <= window.begin_ns]
    return by_begin[-1] if by_begin else by_end[0], by_end[-1]


def _figure(event: dict[str, Any], name: str) -> bool:
    return isinstance(event.get(name), (int, float))


def second_heap(
    heap: Sequence[tuple[int, float]], edges_ns: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """The highest heap, in MB, said between consecutive edges; nan where nothing was said."""
    seconds = np.full(len(edges_ns) - 1, np.nan)
    for at, mb in heap:
        second = int(np.searchsorted(edges_ns, at, side="right")) - 1
        if 0 <= second < len(seconds):
            seconds[second] = np.fmax(seconds[second], mb)
    return seconds
