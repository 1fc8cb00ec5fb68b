"""The ratio of two figures, with its 95 % interval.

Figures that met the same blocks are compared within them (``wirelab.stats.by_block``). Of any
others both carry an interval of their own, from independent trials. The interval of their ratio
follows from these by MOVER on logarithms (Zou & Donner 2008, "Construction of confidence
limits about effect measures"): no distribution is assumed beyond that of the two intervals,
skewness is kept, and two archived results suffice, so that ranks within a run and comparisons
between runs use one rule.

A maximum has no interval, being an observation: two of them are compared by the maxima of
their trials (Welch's t on logarithms).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, hypot, inf, log

import numpy as np

from wirelab.model.result import Metric
from wirelab.stats.by_block import log_ratios
from wirelab.stats.quantiles import student_t
from wirelab.stats.signed_rank import location

Interval = tuple[float, float]


@dataclass(frozen=True)
class Ratio:
    """``value`` times as much, between ``low`` and ``high`` with 95 % confidence."""

    value: float
    low: float
    high: float


def ratio(figure: Metric, base: Metric) -> Ratio | None:
    """``figure / base``, within blocks where they have some in common; None when a value is absent
    or not positive, when only its lower bound is known, or nothing bounds it."""
    if not figure.value or not base.value or figure.at_least or base.at_least:
        return None
    return within_blocks(figure, base) or quotient(figure, base)


def within_blocks(figure: Metric, base: Metric) -> Ratio | None:
    """``figure / base`` over the blocks that both have; None where these are fewer than two."""
    found = location(log_ratios(figure, base))
    return None if found is None else Ratio(exp(found.value), exp(found.low), exp(found.high))


def quotient(figure: Metric, base: Metric) -> Ratio | None:
    """The quotient of the two figures as they are, whatever blocks they met; None as ``ratio``."""
    if figure.value is None or base.value is None or figure.value <= 0 or base.value <= 0:
        return None
    if figure.at_least or base.at_least:
        return None
    value = figure.value / base.value
    if figure.interval is not None and base.interval is not None:
        return Ratio(value, *_mover(figure.value, figure.interval, base.value, base.interval))
    logs = [_logarithms(metric.per_trial) for metric in (figure, base)]
    if min(len(side) for side in logs) < 2:
        return None
    low, high = mean_difference(*logs)
    return Ratio(value, exp(low), exp(high))


def changed(new: Ratio, old: Ratio) -> Ratio:
    """Ratio of a ratio in one run to the same ratio in another.

    Both are to one reference, which takes out what the hours of the two runs did to everybody.
    """
    return Ratio(
        new.value / old.value,
        *_mover(new.value, (new.low, new.high), old.value, (old.low, old.high)),
    )


def _mover(figure: float, of_figure: Interval, base: float, of_base: Interval) -> Interval:
    down = hypot(_distance(of_figure[0], figure), _distance(base, of_base[1]))
    up = hypot(_distance(figure, of_figure[1]), _distance(of_base[0], base))
    middle = log(figure / base)
    return exp(middle - down), exp(middle + up) if up < inf else inf


def _distance(low: float, high: float) -> float:
    return log(high / low) if low > 0 else inf


def _logarithms(per_trial: Sequence[float | None]) -> list[float]:
    known = [value for value in per_trial if value is not None]
    # To leave out the trials without a logarithm would choose among trials by their figures.
    return [log(value) for value in known] if all(value > 0 for value in known) else []


def mean_difference(left: Sequence[float], right: Sequence[float]) -> Interval:
    """95 % interval of the difference of two means by Welch's t; each needs two values."""
    errors = [float(np.var(side, ddof=1)) / len(side) for side in (left, right)]
    total = sum(errors)
    difference = float(np.mean(left)) - float(np.mean(right))
    if total == 0:
        return difference, difference
    parts = (e**2 / (len(s) - 1) for e, s in zip(errors, (left, right), strict=True))
    reach = student_t(0.975, total**2 / sum(parts)) * float(np.sqrt(total))
    return difference - reach, difference + reach
