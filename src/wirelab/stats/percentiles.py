"""Exact percentiles of pooled samples.

The definition used everywhere is the inverse of the empirical distribution function
(nearest rank, Hyndman & Fan type 1, numpy's ``inverted_cdf``; also what HdrHistogram means):
the p-th percentile is the smallest sample that at least p % of the samples do not exceed.
It is always a latency that happened, and never a mean of two that did.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

PERCENTILES = (50.0, 90.0, 95.0, 99.0, 99.9)
"""The percentiles that are printed."""

_PARTS = 10_000_000
_Number = TypeVar("_Number", bound=np.generic)


def rank(percentile: float, count: int) -> int:
    """Rank, from 1, of ``percentile`` among ``count`` samples.

    In whole numbers: 99.9 % of 1,000 is exactly 999, which floating point cannot promise.
    """
    parts = round(percentile * _PARTS / 100)
    return max(1, -(-parts * count // _PARTS))


def percentile(ordered: npt.NDArray[_Number], percentile: float) -> _Number:
    """The percentile of ascending samples; raises IndexError when there is none."""
    value: _Number = ordered[rank(percentile, len(ordered)) - 1]
    return value


def pooled(trials: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """All samples of all trials, ascending: what a percentile of a cell is read from."""
    together = np.concatenate(trials)
    together.sort()
    return together


def label(percentile: float) -> str:
    """``p95``, ``p99.9``."""
    return f"p{percentile:g}"
