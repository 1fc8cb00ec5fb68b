"""Percentiles of durations of which some were cut off before they ended (right-censored).

A duration that was cut off is known to be at least so long. The product-limit estimate (Kaplan &
Meier 1958) uses that and no more; it needs that the moment of cutting off does not depend on how
long the operation would have taken. Without cut durations its percentiles are those of
``wirelab.stats.percentiles``: the smallest duration that at least p % do not exceed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from wirelab.stats import percentiles

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


def censored_percentiles(
    durations: npt.NDArray[np.int64], ended: npt.NDArray[np.bool_], levels: Sequence[float]
) -> list[Percentile]:
    """A percentile for each level; ``ended`` is false where a duration was cut off.

    Raises IndexError without durations.
    """
    if not len(durations):
        raise IndexError("no durations, no percentile")
    ordered = np.sort(durations)
    if ended.all():
        return [_exact(ordered, level) for level in levels]
    survival = stats.ecdf(stats.CensoredData.right_censored(durations, ~ended)).sf
    times = survival.quantiles.astype(np.int64)
    return [_estimated(ordered, times, survival.probabilities, level) for level in levels]


def _exact(ordered: npt.NDArray[np.int64], level: float) -> Percentile:
    value = int(percentiles.percentile(ordered, level))
    at_risk = len(ordered) - int(np.searchsorted(ordered, value))
    return Percentile(value, True, at_risk, float(len(ordered)))


def _estimated(
    ordered: npt.NDArray[np.int64],
    times: npt.NDArray[np.int64],
    surviving: npt.NDArray[np.float64],
    level: float,
) -> Percentile:
    """From the share that survives each of ``times``, ascending."""
    beyond = (1 - level / 100) * (1 + _SLACK)
    # The estimate never rises, so that all before the percentile lie above.
    at = int(np.count_nonzero(surviving > beyond))
    reached = at < len(times)
    # Where it stays above: the longest duration, all that is known.
    at = min(at, len(times) - 1)
    value = int(times[at])
    at_risk = len(ordered) - int(np.searchsorted(ordered, value))
    before = float(surviving[at - 1]) if at else 1.0
    return Percentile(value, reached, at_risk, at_risk / before)
