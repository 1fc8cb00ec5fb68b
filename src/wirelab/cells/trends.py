"""Trends over a trial: what a role holds, and how long its operations take, by the hour.

Told of scenarios that ask for them, whose trials last for hours. The warm-up is before the window.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from wirelab.cells.estimate import Estimate
from wirelab.cells.figures import NOT_MEASURED
from wirelab.cells.operations import OperationDurations
from wirelab.cells.window import Window
from wirelab.model.scenario import Scenario
from wirelab.stats.trend import Trend, mean_of, trend_of
from wirelab.stats.trials import trials_interval

_HOUR_NS = 3_600_000_000_000
_HELD = {
    "rss": ("rss_bytes", 1e6, 4096 / 1e6),
    "descriptors": ("descriptors", 1.0, 1.0),
    "threads": ("threads", 1.0, 1.0),
}
"""By metric: the monitor's column, what makes its unit, and the least change of a count."""

Rows = Mapping[str, npt.NDArray[Any]]
Trends = Mapping[str, Trend]


def trial_trends(
    rows: Rows | None, durations: Mapping[str, OperationDurations], window: Window
) -> Trends:
    """Trends of the subject's role by its rows of the monitor, and of its operations."""
    found = {name: _of_rows(rows, window, *how) for name, how in _HELD.items() if rows}
    found |= {f"{name}.latency": _of_durations(own, window) for name, own in durations.items()}
    return {name: one for name, one in found.items() if one is not None}


def trend_metrics(
    trials: Sequence[Trends], operations: Sequence[str], scenario: Scenario
) -> dict[str, Estimate]:
    """Slopes an hour, each beside the smallest that would have shown."""
    if not scenario.trends:
        return {}
    metrics: dict[str, Estimate] = {}
    for name in (*_HELD, *(f"{operation}.latency" for operation in operations)):
        own = [trends.get(name) for trends in trials]
        metrics[f"{name}.slope"], metrics[f"{name}.slope.least"] = _estimates(own)
    return metrics


def _estimates(own: Sequence[Trend | None]) -> tuple[Estimate, Estimate]:
    known = [one for one in own if one is not None]
    if not known:
        absent = Estimate.absent(NOT_MEASURED)
        return absent, absent
    whole = mean_of(known)
    slopes = [None if one is None else one.slope for one in own]
    between = trials_interval(whole.slope, [one.slope for one in known], signed=True)
    low, high = whole.interval
    if between is not None:
        low, high = min(low, between[0]), max(high, between[1])
    effective = round(whole.effective, 1)
    slope = Estimate(whole.slope, (low, high), effective_n=effective, per_trial=tuple(slopes))
    return slope, Estimate(whole.least, effective_n=effective)


def _of_rows(
    rows: Rows, window: Window, column: str, unit: float, resolution: float
) -> Trend | None:
    if column not in rows:
        return None  # stored before it was recorded
    at = rows["monotonic_ns"].astype(np.int64)
    inside = (at >= window.begin_ns) & (at <= window.end_ns) & (rows["processes"] > 0)
    return trend_of(_hours(at[inside], window), rows[column][inside] / unit, resolution=resolution)


def _of_durations(durations: OperationDurations, window: Window) -> Trend | None:
    inside = durations.within(window)
    at = _hours(inside.intended_ns, window)
    return trend_of(at, inside.service / 1e6, middle=np.median)


def _hours(at_ns: npt.NDArray[np.int64], window: Window) -> npt.NDArray[np.float64]:
    since: npt.NDArray[np.float64] = (at_ns - window.begin_ns) / _HOUR_NS
    return since
