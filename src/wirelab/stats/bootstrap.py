"""95 % intervals from two levels: the seconds within trials, and the trials.

*Within* trials, seconds differ. Each replicate draws, in every trial, m - 1 of its m one-second
blocks with replacement (m - 1, because m would understate the variance of few blocks: McCarthy
& Snowden 1985), and the middle 95 % of the replicates are an interval.

*Between* trials, processes differ (memory layout, JIT, placement), and two to ten of them are
too few to be drawn from: two drawn with replacement make three different sets, and the interval
of a bootstrap over both levels then holds the truth about 65 times in 100 (3 trials: 70). So
this level is Student's t over the trials' own values, which is exact for any number of them.

The interval is the wider of the two on either side. In simulations (lognormal times, with and
without autocorrelation and differences between 2 to 10 trials) it holds the true p50, p95 or
p99 in 89 to 100 of 100 runs. With one trial there is no telling how trials differ: the interval
is of that trial alone, and of autocorrelated times it then holds the truth 85 times in 100.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from wirelab.stats.blocks import BinnedBlocks
from wirelab.stats.trials import TAILS, Interval, trials_interval

REPLICATES = 2000
_CHUNK = 250
_EXACT = 2**24
"""Whole numbers below it are exact in 32 bits."""

Floats = npt.NDArray[np.float64]


class Resampling:
    """Replicates of a cell: how often each block of each trial is drawn in each of them."""

    def __init__(
        self, blocks: Sequence[int], seed: int | Sequence[int], *, alike: bool = True
    ) -> None:
        """``blocks`` is the number of blocks of each trial; the same seed draws the same. On a
        ramp they are not ``alike``: one of another load cannot stand for one that is not drawn.
        """
        self.blocks = list(blocks)
        self.seed = seed
        self.alike = alike
        random = np.random.default_rng(seed)
        self.usable = alike and min((number for number in blocks if number), default=0) >= 2
        """Whether blocks say anything: one block a trial does not, and a trial without any, whose
        time was disturbed, takes nothing from the others."""
        self._draws = np.hstack([_draw_blocks(random, number) for number in blocks])

    def percentiles(self, bins: BinnedBlocks, percentiles: Sequence[float]) -> Floats:
        """Percentiles of each replicate, shape (replicates, percentiles)."""
        if bins.cut is None:
            return self._uncut_percentiles(bins, percentiles)
        parts = []
        for total, below in self._below(bins):
            edges = bins.lows, bins.highs
            found = [_percentile(*edges, total, below, p) for p in percentiles]
            parts.append(np.column_stack(found))
        return np.vstack(parts)

    def _uncut_percentiles(self, bins: BinnedBlocks, percentiles: Sequence[float]) -> Floats:
        """The same where no duration was cut off.

        Replicates are counted up to every twentieth or so of the bins first. A percentile lies in
        neighbouring bins in all of them, and between these alone they are counted bin by bin.
        """
        up_to = np.cumsum(bins.counts, axis=1, dtype=np.float64)
        number = up_to.shape[1]
        stride = max(1, math.isqrt(number))
        marks = np.unique(np.append(np.arange(stride - 1, number, stride), number - 1))
        kind = self._exact(up_to[:, -1])
        draws = list(self._chunks(kind))
        coarse = _counted(draws, up_to[:, marks].astype(kind))
        total = coarse[:, -1]
        found = []
        for percentile in percentiles:
            reached = coarse >= (total * (percentile / 100))[:, np.newaxis]
            after = reached.argmax(axis=1)
            first = marks[after.min() - 1] if after.min() else 0
            near = slice(first, marks[after.max()] + 1)
            below = _counted(draws, up_to[:, near].astype(kind))
            edges = bins.lows[near], bins.highs[near]
            found.append(_percentile(*edges, total, below, percentile))
        return np.column_stack(found)

    def censored_means(self, bins: BinnedBlocks) -> Floats:
        """The mean of each replicate, of durations of which some were cut off; what survives all
        of them counts as the longest."""
        middles = (bins.lows + bins.highs) / 2
        parts = []
        for total, below in self._below(bins):
            ended = np.diff(below, axis=1, prepend=0.0) @ middles
            beyond = (total - below[:, -1]) * bins.highs[-1]
            with np.errstate(invalid="ignore"):
                parts.append((ended + beyond) / total)
        return np.concatenate(parts)

    def means(self, sums: Floats, counts: Floats) -> Floats:
        """The mean of each replicate, from the sum and the number of samples of each block."""
        both = np.column_stack([sums, counts])
        totals = np.vstack([drawn @ both for drawn in self._chunks(np.float64)])
        with np.errstate(invalid="ignore"):
            means: Floats = totals[:, 0] / totals[:, 1]
        return means

    def _below(self, bins: BinnedBlocks) -> Iterator[tuple[Floats, Floats]]:
        """Chunks of counts of replicates: all of them, and those up to each bin."""
        # Cumulated once for the blocks, and not for each replicate.
        up_to = np.cumsum(bins.counts, axis=1, dtype=np.float64)
        kind = self._exact(up_to[:, -1])
        counts = up_to.astype(kind)
        for drawn in self._chunks(kind):
            reached = (drawn @ counts).astype(np.float64)
            cut = None if bins.cut is None else drawn @ bins.cut.astype(kind)
            yield reached[:, -1], reached if cut is None else _surviving_less(reached, cut)

    def _exact(self, totals: Floats) -> type[np.floating[Any]]:
        """The smaller type that counts of replicates fit exactly, of blocks with these totals."""
        most = self._draws.sum(axis=1, dtype=np.int64).max() * totals.max(initial=0.0)
        return np.float32 if most < _EXACT else np.float64

    def _chunks(self, kind: type[np.floating[Any]]) -> Iterator[npt.NDArray[Any]]:
        for at in range(0, REPLICATES, _CHUNK):
            yield self._draws[at : at + _CHUNK].astype(kind)


def _counted(draws: Iterable[npt.NDArray[Any]], up_to: npt.NDArray[Any]) -> Floats:
    """Counts of each replicate, from those of the blocks up to some of the bins."""
    return np.vstack([drawn @ up_to for drawn in draws]).astype(np.float64)


def wider_interval(
    value: float, replicates: Floats | None, per_trial: Sequence[float]
) -> Interval | None:
    """The 95 % interval of ``value`` from its replicates and from the trials' own values.

    None where there are neither replicates nor two trials.
    """
    levels = [trials_interval(value, per_trial), _middle(replicates)]
    known = [level for level in levels if level is not None]
    if not known:
        return None
    return min(value, *(low for low, _ in known)), max(value, *(high for _, high in known))


def _middle(replicates: Floats | None) -> Interval | None:
    if replicates is None or not np.isfinite(replicates).any():
        return None
    if np.isinf(replicates).any():  # between these nothing can be interpolated
        low, high = np.nanquantile(replicates, TAILS, method="inverted_cdf")
    else:
        low, high = np.nanquantile(replicates, TAILS)
    return float(low), float(high)


def _draw_blocks(random: np.random.Generator, number: int) -> npt.NDArray[np.uint8]:
    if not number:
        return np.empty((REPLICATES, 0), dtype=np.uint8)
    drawn = random.integers(0, number, size=(REPLICATES, max(1, number - 1)))
    drawn += np.arange(REPLICATES)[:, np.newaxis] * number
    return (
        np.bincount(drawn.ravel(), minlength=REPLICATES * number)
        .reshape(-1, number)
        .astype(np.uint8)
    )


def _surviving_less(reached: Floats, cut: npt.NDArray[Any]) -> Floats:
    """Counts of each replicate up to each bin where durations were cut off, by the product-limit
    estimate over the bins. Those cut off within a bin are at risk there for half of it (the
    actuarial estimate).
    """
    total = reached[:, -1:]
    inside = np.diff(reached, axis=1, prepend=0.0)
    at_risk = total - reached + inside - cut / 2
    ending = np.divide(inside - cut, at_risk, out=np.zeros_like(inside), where=at_risk > 0)
    less: Floats = total * (1 - np.cumprod(1 - ending, axis=1))
    return less


def _percentile(
    lows: Floats, highs: Floats, total: Floats, below: Floats, percentile: float
) -> Floats:
    """The percentile of each row of cumulated counts; within a bin in proportion to counts.

    Infinite where too few end: nobody knows how long the others would have taken.
    """
    target = total * (percentile / 100)
    reached = below >= target[:, np.newaxis]
    found = np.where(reached[:, -1], reached.argmax(axis=1), len(highs) - 1)
    rows = np.arange(len(below))
    before = np.where(found > 0, below[rows, found - 1], 0.0)
    inside = np.maximum(below[rows, found] - before, 1.0)
    share = np.clip((target - before) / inside, 0.0, 1.0)
    values = lows[found] + share * (highs[found] - lows[found])
    values = np.where(reached[:, -1], values, np.inf)
    return np.where(total > 0, values, np.nan)
