"""Number of samples that a figure needs before it may be printed.

A percentile q is printed from the smallest n at which fewer than two samples beyond q would
be a 1 % accident: ``binom.cdf(1, n, 1 - q) <= 0.01``, the minimum of MLPerf's early stopping
(LoadGen, one permitted overrun at 99 % confidence): 130 for p95, 662 for p99, 6,636 for
p99.9. The same rule gives 11 for the median. It is compared with the *effective* number of
samples: samples that repeat what the one before them said are not evidence of a tail.

A mean needs 2: it is unbiased for any n, and from 2 on its interval says how good it is.
A maximum needs 1: it is an observation, not an estimate of anything.
"""

from __future__ import annotations

from functools import cache

import scipy

MEAN_NEEDS = 2
_CONFIDENCE = 0.99


@cache
def needed_samples(percentile: float) -> int:
    """Smallest effective number of samples for which ``percentile`` (0 < p < 100) is printed."""
    beyond = 1 - percentile / 100
    if not 0 < beyond < 1:
        raise ValueError(f"expected a percentile between 0 and 100, got {percentile}")
    low, high = 1, 2
    while not _supported(high, beyond):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _supported(middle, beyond) else (middle, high)
    return high


def _supported(count: int, beyond: float) -> bool:
    # The special function: the module of all distributions takes a second to load.
    return count > 0 and bool(scipy.special.bdtr(1, count, beyond) <= 1 - _CONFIDENCE)


def deepest_percentile(effective_count: float) -> float:
    """The highest percentile that ``effective_count`` samples support; 0 when none."""
    low, high = 0.0, 100.0
    for _ in range(40):
        middle = (low + high) / 2
        if middle > 0 and _supported(int(effective_count), 1 - middle / 100):
            low = middle
        else:
            high = middle
    return low
