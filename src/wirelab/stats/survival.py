"""Percentiles of durations of which some were cut off before they ended (right-censored).

A duration that was cut off is known to be at least so long. The product-limit estimate (Kaplan &
Meier 1958) uses that and no more; it needs that the moment of cutting off does not depend on how
long the operation would have taken. Without cut durations its percentiles are those of
``wirelab.stats.percentiles``: the smallest duration that at least p % do not exceed.
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
    at_risk: int
    support: float


@dataclass(frozen=True)
class Distribution:
    """Durations in ascending order; ``ended`` is false where one was cut off, None: none was."""

    ordered: Ints
    ended: Flags | None = None

    @staticmethod
    def of(durations: Ints, ended: Flags | None = None) -> Distribution:
        """The distribution of durations in any order."""
        if ended is None or ended.all():
            return Distribution(np.sort(durations))
        order = np.argsort(durations, kind="stable")
        return Distribution(durations[order], ended[order])

    @staticmethod
    def pooled(parts: Sequence[Distribution]) -> Distribution:
        """The distribution of all durations of several distributions."""
        if all(part.ended is None for part in parts):
            return Distribution(percentiles.pooled([part.ordered for part in parts]))
        durations = np.concatenate([part.ordered for part in parts])
        return Distribution.of(durations, np.concatenate([part.flags() for part in parts]))

    def percentile(self, level: float) -> Percentile:
        """A percentile; raises IndexError without durations."""
        if not len(self.ordered):
            raise IndexError("no durations, no percentile")
        if self.ended is None:
            value, reached = int(percentiles.percentile(self.ordered, level)), True
        else:
            value, reached = self._estimated(level)
        return Percentile(value, reached, self.at_risk(value), self.support(value))

    def at_risk(self, value: int) -> int:
        """Number still under way, or ended, at a duration."""
        return len(self.ordered) - int(np.searchsorted(self.ordered, value))

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
        censored = scipy.stats.CensoredData.right_censored(self.ordered, ~self.flags())
        survival = scipy.stats.ecdf(censored).sf
        return survival.quantiles.astype(np.int64), survival.probabilities

    def flags(self) -> Flags:
        """Mark the durations that ended."""
        return np.ones(len(self.ordered), dtype=bool) if self.ended is None else self.ended
