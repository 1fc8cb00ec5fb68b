"""Percentiles of durations of which some were cut off before they ended (right-censored).

A duration that was cut off is known to be at least so long. The product-limit estimate (Kaplan &
Meier 1958) uses that and no more; it needs that the moment of cutting off does not depend on how
long the operation would have taken. Without cut durations its percentiles are those of
``wirelab.stats.percentiles``: the smallest duration that at least p % do not exceed.

Where parts of a load were left out unequally, each duration has a weight, and the estimate counts
weights in place of durations (Xie & Liu 2005, "Adjusted Kaplan-Meier estimator and log-rank test
with inverse probability of treatment weighting for survival data"). Unequal weights support less:
(sum w)^2 / sum w^2 durations of equal weight would say as much (Kish 1965, "Survey Sampling").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy

from wirelab.stats import percentiles

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_SLACK = 1e-9
"""A product of a million factors is exact to so much of itself; a step of the estimate is larger,
so that a percentile stays at its rank."""


@dataclass(frozen=True)
class Percentile:
    """A percentile of durations, of which some were cut off.

    ``reached`` is false where the longest durations were cut off before so many had ended: then
    the percentile is ``value`` or more. ``at_risk`` operations were still under way, or ended,
    at ``value``; ``support`` is the number of operations, none of them cut off, that would leave
    as many there.
    """

    value: int
    reached: bool
    at_risk: float
    support: float


@dataclass(frozen=True)
class Distribution:
    """Durations in ascending order; ``ended`` is false where one was cut off, None: none was.

    ``weights`` are those of the durations; None: all weigh alike. With weights ``ended`` is known.
    """

    ordered: Ints
    ended: Flags | None = None
    weights: Floats | None = None

    @staticmethod
    def of(
        durations: Ints, ended: Flags | None = None, weights: Floats | None = None
    ) -> Distribution:
        """The distribution of durations in any order."""
        if weights is None and (ended is None or ended.all()):
            return Distribution(np.sort(durations))
        order = np.argsort(durations, kind="stable")
        known = np.ones(len(order), dtype=bool) if ended is None else ended[order]
        return Distribution(durations[order], known, None if weights is None else weights[order])

    @staticmethod
    def pooled(parts: Sequence[Distribution]) -> Distribution:
        """The distribution of all durations of several distributions."""
        if all(part.ended is None for part in parts):
            return Distribution(percentiles.pooled([part.ordered for part in parts]))
        durations = np.concatenate([part.ordered for part in parts])
        weights = None
        if any(part.weights is not None for part in parts):
            weights = np.concatenate([part.all_weights() for part in parts])
        return Distribution.of(durations, np.concatenate([part.flags() for part in parts]), weights)

    def percentile(self, level: float) -> Percentile:
        """A percentile; raises IndexError without durations."""
        if not len(self.ordered):
            raise IndexError("no durations, no percentile")
        if self.ended is None:
            value, reached = int(percentiles.percentile(self.ordered, level)), True
        else:
            value, reached = self._estimated(level)
        return Percentile(value, reached, self.at_risk(value), self.support(value))

    def at_risk(self, value: int) -> float:
        """Number still under way, or ended, at a duration; of unequal weights, the number of equal
        ones that would say as much.
        """
        first = int(np.searchsorted(self.ordered, value))
        if self.weights is None:
            return len(self.ordered) - first
        own = self.weights[first:]
        squares = float(own @ own)
        return float(own.sum()) ** 2 / squares if squares else 0.0

    def surviving(self, value: int) -> float:
        """Share that is not over before a duration."""
        if self.ended is None:
            return self.at_risk(value) / len(self.ordered)
        times, surviving = self._steps
        before = int(np.searchsorted(times, value))
        return float(surviving[before - 1]) if before else 1.0

    def support(self, value: int) -> float:
        """Number, none of them cut off, that would leave as many at risk at a duration."""
        if self.ended is None:
            return float(len(self.ordered))
        at_risk = self.at_risk(value)
        return at_risk / self.surviving(value) if at_risk else 0.0

    def longest_supported(self, needed: float) -> int | None:
        """The longest duration with at least this support; None where it has none."""
        # Support never rises with the duration: it loses who was cut off before.
        times = np.unique(self.ordered)
        low, high = 0, len(times)
        while low < high:
            middle = (low + high) // 2
            enough = self.support(int(times[middle])) >= needed
            low, high = (middle + 1, high) if enough else (low, middle)
        return int(times[low - 1]) if low else None

    @property
    def share_ended(self) -> float:
        """Share of which it is known when they ended: 1 unless the longest was cut off."""
        if self.ended is None or self.ended[self.ordered == self.ordered[-1]].all():
            return 1.0
        return 1 - float(self._steps[1][-1])

    @property
    def mean(self) -> float:
        """The mean: the area below the estimate. At least so much where not all have ended."""
        if self.ended is None:
            return float(self.ordered.mean())
        times, surviving = self._steps
        return float(np.diff(times, prepend=0) @ np.append(1.0, surviving[:-1]))

    def _estimated(self, level: float) -> tuple[int, bool]:
        """The percentile from the shares that survive; the longest duration where too few ended."""
        times, surviving = self._steps
        beyond = (1 - level / 100) * (1 + _SLACK)
        # The estimate never rises, so that all before the percentile lie above.
        at = int(np.count_nonzero(surviving > beyond))
        return int(times[min(at, len(times) - 1)]), at < len(times)

    @cached_property
    def _steps(self) -> tuple[Ints, Floats]:
        """Durations, ascending, and the share that survives each."""
        if self.weights is not None:
            return _weighted_steps(self.ordered, self.flags(), self.weights)
        censored = scipy.stats.CensoredData.right_censored(self.ordered, ~self.flags())
        survival = scipy.stats.ecdf(censored).sf
        return survival.quantiles.astype(np.int64), survival.probabilities

    def flags(self) -> Flags:
        """Mark the durations that ended."""
        return np.ones(len(self.ordered), dtype=bool) if self.ended is None else self.ended

    def all_weights(self) -> Floats:
        """The weight of each duration."""
        return np.ones(len(self.ordered)) if self.weights is None else self.weights


def _weighted_steps(ordered: Ints, ended: Flags, weights: Floats) -> tuple[Ints, Floats]:
    """Durations, ascending, and the weighted share that survives each."""
    times, first = np.unique(ordered, return_index=True)
    if not len(times):
        return times, np.empty(0)
    over = np.add.reduceat(np.where(ended, weights, 0.0), first)
    at_risk = np.cumsum(np.add.reduceat(weights, first)[::-1])[::-1]
    return times, np.cumprod(np.clip(1 - over / at_risk, 0.0, 1.0))
