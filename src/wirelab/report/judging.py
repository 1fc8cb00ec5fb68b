"""Judgement of a statement against figures: by the interval of their ratio, as ranks are made.

A statement allows a band of ratios: "less" all below 1, "4.8 times" those within 5 % of 4.8, "no
difference" those within 5 % of 1. It is supported where the whole interval lies within the band,
contradicted where all of it lies outside, and undecided where the interval is too wide to tell.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from wirelab.model.result import Metric
from wirelab.report.document import Tone
from wirelab.stats.ratio import Ratio, ratio
from wirelab.words.translation import N_

EQUAL = 1.05
"""Figures that differ by less are as good as equal."""

TRIALS = 2
"""Trials that an exact count needs before anything is said of it."""


class Standing(Enum):
    """Judgement of a statement against the figures of a run: a word, and its tone."""

    SUPPORTED = (N_("supported"), "good")
    CONTRADICTED = (N_("contradicted"), "bad")
    DIRECTION = (N_("direction only"), "neutral")
    NO_DIFFERENCE = (N_("no difference shown"), "neutral")
    OPEN = (N_("undecided"), "neutral")

    @property
    def word(self) -> str:
        """In English, for the catalogue."""
        return self.value[0]

    @property
    def tone(self) -> Tone:
        """Tone in which it is shown."""
        return self.value[1]


DECISIVE = (Standing.CONTRADICTED, Standing.OPEN, Standing.NO_DIFFERENCE, Standing.DIRECTION)
"""In this order a part of a statement decides the whole of it."""


def whole(stands: Iterable[Standing]) -> Standing:
    """One statement that several parts have to bear out; open without any."""
    said = [*stands]
    if not said:
        return Standing.OPEN
    return next((stand for stand in DECISIVE if stand in said), Standing.SUPPORTED)


@dataclass(frozen=True)
class RatioBand:
    """The ratios a statement allows. ``size``: it states how large the difference is, and
    ``stated`` is the one ratio it names, if it names one."""

    low: float
    high: float
    size: bool = False
    stated: float | None = None

    def holds(self, apart: Ratio) -> bool:
        """Whether all of an interval lies within."""
        above = self.low == 0 or self.low < apart.low
        return above and (self.high == math.inf or apart.high < self.high)

    def leaves_out(self, apart: Ratio) -> bool:
        """Whether none of an interval lies within."""
        return apart.high <= self.low or self.high <= apart.low

    @property
    def allows_equal(self) -> bool:
        """Whether equal figures bear the statement out."""
        return self.low < 1 < self.high


LESS = RatioBand(0.0, 1.0)
MORE = RatioBand(1.0, math.inf)
SAME = RatioBand(1 / EQUAL, EQUAL)


def so_many_times(times: float) -> RatioBand:
    """A stated ratio: within 5 % of it."""
    return RatioBand(times / EQUAL, times * EQUAL, size=True, stated=times)


def between(low: float, high: float) -> RatioBand:
    """A stated range of ratios."""
    return RatioBand(low, high, size=True)


def judge(apart: Ratio | None, band: RatioBand) -> Standing:
    """Judge a statement by the interval of a ratio; without one it is open."""
    if apart is None:
        return Standing.OPEN
    if band.holds(apart):
        return Standing.SUPPORTED
    if band.leaves_out(apart):
        return Standing.DIRECTION if _same_side(apart, band) else Standing.CONTRADICTED
    equal = SAME.holds(apart) and not band.allows_equal
    return Standing.NO_DIFFERENCE if equal else Standing.OPEN


def _same_side(apart: Ratio, band: RatioBand) -> bool:
    """Whether a difference of another size than stated goes in the stated direction."""
    more = band.low >= 1 and apart.low > 1
    less = band.high <= 1 and apart.high < 1
    return band.size and (more or less)


def compared(left: Metric, right: Metric, band: RatioBand) -> Standing:
    """Judge a statement on the ratio of two figures. Nothing has a ratio to zero: then all trials
    of one have to be zero, and none of the other's.
    """
    apart = ratio(left, right)
    if apart is not None:
        return judge(apart, band)
    if all_zero(left) and all_zero(right):
        return Standing.SUPPORTED if band.allows_equal else Standing.NO_DIFFERENCE
    if all_zero(left) and _never_zero(right):
        return Standing.SUPPORTED if band.low == 0 else Standing.CONTRADICTED
    if all_zero(right) and _never_zero(left):
        return Standing.SUPPORTED if band.high == math.inf else Standing.CONTRADICTED
    return Standing.OPEN


def limited(metric: Metric, limit: float, *, below: bool) -> Standing:
    """Whether a figure lies below a limit (or above): its whole interval, or where it is an
    observation such as a maximum, that of two trials at least."""
    if metric.interval is not None:
        low, high = metric.interval
    else:
        known = [value for value in metric.per_trial if value is not None]
        if len(known) < TRIALS:
            return Standing.OPEN
        low, high = min(known), max(known)
    if low <= limit <= high:
        return Standing.OPEN
    return Standing.SUPPORTED if (high < limit) == below else Standing.CONTRADICTED


def exact_count(metric: Metric, *, none: bool) -> Standing:
    """Whether nothing (or something) of an exact count happened, in two trials at least."""
    if metric.value is None or trials_of(metric) < TRIALS:
        return Standing.OPEN
    return Standing.SUPPORTED if (metric.value == 0) == none else Standing.CONTRADICTED


def trials_of(metric: Metric) -> int:
    """Trials that a figure is known of."""
    return sum(value is not None for value in metric.per_trial)


def all_zero(metric: Metric) -> bool:
    """Whether two trials at least have a figure, and it is zero in all."""
    return trials_of(metric) >= TRIALS and not any(metric.per_trial)


def _never_zero(metric: Metric) -> bool:
    if metric.interval is not None:
        return metric.interval[0] > 0
    return trials_of(metric) >= TRIALS and all(metric.per_trial)
