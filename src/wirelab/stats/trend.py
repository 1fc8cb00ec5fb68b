"""Slope of a long series, with an interval that its memory of itself does not narrow.

The series is cut into segments of equal length, and a line is fitted to their means (or medians) by
least squares. What is left beside the line comes in runs, as a heap does that grows until it is
collected; so many segments tell less than as many independent ones. Their lag-1 autocorrelation,
corrected for the bias that it has after a line was taken away, makes their number smaller: by
(1 - r) / (1 + r), in the error and in the degrees of freedom (Santer et al. 2000, "Statistical
significance of trends and trend differences", section 4). ``tests/stats/test_trend.py`` holds what
that covers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from wirelab.stats.quantiles import student_t
from wirelab.stats.trials import TAILS, Interval

SEGMENTS = 64
"""Batches that a series is cut into."""

FEWEST_SEGMENTS = 16
"""Batches that have to hold anything."""

FEWEST_EFFECTIVE = 3.0
"""Independent segments that any series is worth at least: one more than a line takes away. What
hardly forgets has then the widest interval, and no caches that fill up are taken for a leak."""

POWER = 0.8
"""Share of trials in which a slope of the least size that is told would be told from none."""

_MOST_MEMORY = 0.98

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Trend:
    """A slope a unit of time, and how well it is known."""

    slope: float
    error: float
    effective: float
    """Independent segments that the segments are worth."""
    grain: float = 0.0
    """The least slope that a series of whole units can have over its length."""

    @property
    def interval(self) -> Interval:
        """95 % interval of the slope."""
        reach = student_t(TAILS[1], self._freedom) * self.error
        return self.slope - reach, self.slope + reach

    @property
    def least(self) -> float:
        """The smallest slope that would be told from none four times in five."""
        quantiles = student_t(TAILS[1], self._freedom) + student_t(POWER, self._freedom)
        return max(self.grain, quantiles * self.error)

    @property
    def _freedom(self) -> float:
        return self.effective - 2


def trend_of(
    at: Sequence[float] | Floats,
    values: npt.NDArray[Any],
    *,
    resolution: float = 0.0,
    middle: Callable[[npt.NDArray[Any]], Any] = np.mean,
) -> Trend | None:
    """The trend of ``values`` at the times ``at``, in order; None of too short a series.

    ``resolution``: the least by which a value changes, such as one of a count. ``middle`` stands
    for a segment.
    """
    times = np.asarray(at, dtype=np.float64)
    if len(times) < FEWEST_SEGMENTS or times[-1] <= times[0]:
        return None
    edges = np.linspace(times[0], times[-1], SEGMENTS + 1)
    bounds = np.searchsorted(times, edges)
    bounds[-1] = len(times)
    held = [(begin, end) for begin, end in pairwise(bounds) if end > begin]
    if len(held) < FEWEST_SEGMENTS:
        return None
    x = np.array([times[begin:end].mean() for begin, end in held])
    y = np.array([middle(values[begin:end]) for begin, end in held], dtype=np.float64)
    return _fitted(x, y, resolution / float(times[-1] - times[0]))


def mean_of(trends: Sequence[Trend]) -> Trend:
    """The mean of the trends of several trials, as well known as they are together."""
    count = len(trends)
    variances = np.array([one.error**2 for one in trends])
    total = float(variances.sum())
    freedoms = np.array([one.effective - 2 for one in trends])
    # Welch and Satterthwaite; all alike where none has any error.
    freedom = total**2 / float((variances**2 / freedoms).sum()) if total > 0 else freedoms.sum()
    return Trend(
        slope=float(np.mean([one.slope for one in trends])),
        error=total**0.5 / count,
        effective=float(freedom) + 2,
        grain=max(one.grain for one in trends) / count,
    )


def _fitted(x: Floats, y: Floats, grain: float) -> Trend:
    centred = x - x.mean()
    spread = float(centred @ centred)
    slope = float(centred @ y) / spread
    beside = y - y.mean() - slope * centred
    squares = float(beside @ beside)
    count = len(x)
    if squares <= 1e-18 * float(y @ y):  # a straight line, but for how numbers are rounded
        level = float(np.ptp(y)) <= 1e-9 * float(np.abs(y).max())
        return Trend(0.0 if level else slope, 0.0, float(count), grain)
    memory = float(beside[1:] @ beside[:-1]) / squares
    memory = min(max((count * memory + 2) / (count - 4), 0.0), _MOST_MEMORY)
    effective = max(count * (1 - memory) / (1 + memory), FEWEST_EFFECTIVE)
    return Trend(slope, (squares / (effective - 2) / spread) ** 0.5, effective, grain)
