"""Ratios of two contenders that were measured in the same blocks: one estimate and its interval.

Contenders of a block met the same hour, so each block gives one logarithm of their ratio, and
what the hour did to both is gone from it. From six blocks on the estimate is Hodges and Lehmann's
(1963), the median of all means of two of them, and its interval inverts the exact signed-rank
test (Wilcoxon 1945): it asks that the logarithms are symmetric about the truth, and one block
that went astray moves it little. Below six no signed-rank interval reaches 95 %: the mean, and
Student's t.

The ratio is that of the blocks, and not the quotient of two figures of the whole run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from wirelab.stats.quantiles import student_t

EXACT_FROM = 6
"""The fewest blocks with a signed-rank interval of 95 %: of 2**6 signs two are all alike."""

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Location:
    """The centre of differences, between ``low`` and ``high`` with the confidence asked for."""

    value: float
    low: float
    high: float

    @property
    def reach(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2


def location(differences: Sequence[float], confidence: float = CONFIDENCE) -> Location | None:
    """The centre of paired differences; None of fewer than two."""
    values = np.asarray(differences, dtype=float)
    if len(values) < 2:
        return None
    if (rank := interval_rank(len(values), confidence)) is None:
        return _by_mean(values, confidence)
    means = _walsh_averages(values)
    return Location(float(np.median(means)), float(means[rank - 1]), float(means[-rank]))


def _by_mean(values: np.ndarray[tuple[int], np.dtype[np.float64]], confidence: float) -> Location:
    mean = float(np.mean(values))
    error = float(np.std(values, ddof=1)) / float(np.sqrt(len(values)))
    reach = student_t((1 + confidence) / 2, len(values) - 1) * error
    return Location(mean, mean - reach, mean + reach)


def _walsh_averages(
    values: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The means of all pairs, each value with itself included, ascending."""
    left, right = np.triu_indices(len(values))
    return np.sort((values[left] + values[right]) / 2)


@cache
def interval_rank(count: int, confidence: float) -> int | None:
    """Rank from either end, among the means of two of ``count``, of the ends of the interval.

    None where no interval is as sure as ``confidence``. The chance that fewer than ``rank`` means
    lie on one side of the truth is that of a signed-rank sum below ``rank``.
    """
    chances = np.ones(1)
    for rank in range(1, count + 1):
        # Each rank is in the sum or not, with even chances.
        chances = np.convolve(chances, np.concatenate(([0.5], np.zeros(rank - 1), [0.5])))
    below = np.cumsum(chances)
    found = int(np.searchsorted(below, (1 - confidence) / 2 * (1 + 1e-12), side="right"))
    return found if found > 0 else None
