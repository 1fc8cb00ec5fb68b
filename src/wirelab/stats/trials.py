"""Variation from trial to trial, and intervals where there is one value a trial."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wirelab.stats.quantiles import chi_squared, student_t

Interval = tuple[float, float]

TAILS = (0.025, 0.975)
UNBOUNDED = 100.0


def variation(values: Sequence[float]) -> float | None:
    """Coefficient of variation (sample standard deviation / mean); None for less than two."""
    mean = float(np.mean(values)) if values else 0.0
    return float(np.std(values, ddof=1)) / mean if len(values) > 1 and mean > 0 else None


def variation_interval(variation: float, trials: int) -> Interval:
    """95 % interval of a coefficient of variation: chi-squared, as of the spread of logarithms.

    Two trials say little of it: the interval then runs from 0.45 to 32 times the value.
    """
    freedom = trials - 1
    low, high = (freedom / chi_squared(tail, freedom) for tail in reversed(TAILS))
    return variation * low**0.5, variation * high**0.5


def trials_interval(
    value: float, per_trial: Sequence[float], *, signed: bool = False
) -> Interval | None:
    """95 % interval of ``value`` by Student's t over one value a trial; None for one trial.

    On logarithms where all values are positive, so that it never reaches below zero; on the
    values themselves where they are ``signed`` by nature and only happen to be positive.
    """
    if len(per_trial) < 2:
        return None
    by_factors = not signed and value > 0 and min(per_trial) > 0
    values = np.log(per_trial) if by_factors else np.asarray(per_trial, dtype=float)
    error = float(np.std(values, ddof=1)) / float(np.sqrt(len(values)))
    reach = student_t(TAILS[1], len(values) - 1) * error
    if by_factors:
        return value * float(np.exp(-reach)), value * float(np.exp(reach))
    return value - reach, value + reach


def bounding(value: float, interval: Interval | None) -> Interval | None:
    """The interval, unless an end is not known, or more than two orders of magnitude away.

    Two trials that disagree give Student's t such ends; they say that nothing is known, and no
    interval says it better.
    """
    if interval is None or not np.isfinite(interval[1]):
        return None
    low, high = interval
    by_factors = value > 0 and low > 0
    return None if by_factors and max(high / value, value / low) > UNBOUNDED else interval
