"""The rule for stopping a run that adds blocks, and the number of blocks that a difference needs.

Looking again after each block with an interval of 95 %, and stopping where it excludes 1, claims a
difference where there is none in one run of five. Here a run stops by the width of its interval
alone (Sen & Ghosh 1971), at few looks, each with an interval of 96 %: in simulations 3.5 to 6.5 %
of runs without a difference claim one. That 1 is excluded never stops it.
"""

from __future__ import annotations

from math import expm1, log, pi

import scipy

from wirelab.stats.quantiles import student_t
from wirelab.stats.signed_rank import EXACT_FROM, Location

LOOKS = (8, 10, 12, 15, 18, 22, 27, 33, 40, 50)
"""Blocks after which the interval is looked at."""

CONFIDENCE = 0.96
POWER = 0.9

_EFFICIENCY = 3 / pi
"""Efficiency of the signed rank beside Student's t where the logarithms are normal."""


def reach_of(found: Location) -> float:
    """The share by which an interval of logarithms reaches to either side of its ratio."""
    return expm1(found.reach)


def next_look(blocks: int) -> int | None:
    """The look after so many blocks; None after the last one."""
    return next((look for look in LOOKS if look > blocks), None)


def blocks_needed(difference: float, scatter: float, power: float = POWER) -> int:
    """Blocks in which a difference is found with this power, by an interval of 95 %.

    ``difference`` is a share (0.05: 5 %); ``scatter`` is the standard deviation of the logarithms
    of the ratios of blocks. ValueError for what is not positive.
    """
    if difference <= 0 or scatter <= 0:
        raise ValueError(f"expected a difference and a scatter, got {difference} and {scatter}")
    effect = log(1 + difference) / scatter
    low, high = EXACT_FROM - 1, EXACT_FROM
    while _power(high, effect) < power:
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _power(middle, effect) < power else (low, middle)
    return high


def _power(blocks: int, effect: float) -> float:
    """Chance that Student's t finds an effect, of as many blocks as the signed rank is worth."""
    worth = blocks * _EFFICIENCY
    limit = student_t(0.975, worth - 1)
    return float(scipy.stats.nct.sf(limit, worth - 1, effect * worth**0.5))
