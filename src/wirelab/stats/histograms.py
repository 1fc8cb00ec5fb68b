"""Histograms: durations that were put into buckets instead of being kept one by one.

Some may have been cut off before they ended (right-censored). Their percentiles are then those of
the product-limit estimate, as in ``wirelab.stats.survival``, over buckets instead of durations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wirelab.stats import percentiles
from wirelab.stats.blocks import BinnedBlocks

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_SLACK = 1e-9
"""A product of many factors is exact to so much of itself."""


@dataclass(frozen=True)
class HistogramSamples:
    """``counts[i, j]`` durations of block *i* (a second) in bucket ``lows[j]`` to ``highs[j]``, ns.

    Buckets are in ascending order; their width is the resolution, a thousandth of the value for
    three significant digits. ``cut`` of the durations of a block and bucket were cut off at the
    bucket's upper end, so that they are known to be longer; None: none was.

    On a ramp ``strata`` has the number of the part that each block lies in, and ``weights`` make up
    for what was left out of each part; None: all blocks are of one load, or weigh alike.
    """

    lows: Ints
    highs: Ints
    counts: Ints
    cut: Ints | None = None
    strata: Ints | None = None
    weights: Floats | None = None

    @property
    def blocks(self) -> int:
        """Number of blocks, empty ones included."""
        return len(self.counts)

    def __len__(self) -> int:
        """Number of durations."""
        return int(self.counts.sum())

    def where(self, chosen: Flags) -> HistogramSamples:
        """The chosen blocks."""
        return replace(
            self,
            counts=self.counts[chosen],
            cut=None if self.cut is None else self.cut[chosen],
            strata=None if self.strata is None else self.strata[chosen],
            weights=None if self.weights is None else self.weights[chosen],
        )

    @property
    def is_plain(self) -> bool:
        """Whether none was cut off and all weigh alike: then ranks are counted."""
        return self.cut is None and self.weights is None

    @cached_property
    def totals(self) -> Ints:
        """Number of durations by bucket."""
        totals: Ints = self.counts.sum(axis=0)
        return totals

    def _weighed(self, counts: Ints, power: int = 1) -> Floats:
        """Sums of counts by bucket, each times a power of its weight."""
        if self.weights is None:
            plain: Floats = counts.sum(axis=0).astype(np.float64)
            return plain
        found: Floats = self.weights**power @ counts.astype(np.float64)
        return found

    @property
    def middles(self) -> Floats:
        """The value that stands for each bucket in a mean, ns."""
        middles: Floats = (self.lows + self.highs) / 2
        return middles

    def percentile(self, level: float) -> float:
        """The value (ns) at or below which ``level`` % of the durations lie; where so many did not
        end, the longest one.

        Nearest rank, as ``wirelab.stats.percentiles`` has it; the upper end of the bucket, so
        that no duration is flattered. ValueError without durations.
        """
        return float(self.highs[self.bucket(level)[0]])

    def bucket(self, level: float) -> tuple[int, bool]:
        """The bucket that holds a percentile, and whether it is reached: else the last bucket.

        ValueError without durations.
        """
        if self.is_plain:
            return bucket_of(self.totals, level), True
        if not len(self):
            raise ValueError("no durations, no percentile")
        beyond = (1 - level / 100) * (1 + _SLACK)
        # The estimate never rises, so that all before the percentile lie above.
        at = int(np.count_nonzero(self._surviving > beyond))
        return min(at, len(self.highs) - 1), at < len(self.highs)

    def mean(self) -> float:
        """Mean in ns, at least so much where not all have ended; nan without durations."""
        total = len(self)
        if not total:
            return float("nan")
        if self.is_plain:
            return float(np.dot(self.totals, self.middles)) / total
        ending = -np.diff(self._surviving, prepend=1.0)
        return float(ending @ self.middles + self._surviving[-1] * self.highs[-1])

    @property
    def share_ended(self) -> float:
        """Share of which it is known when they ended."""
        return 1.0 if self.cut is None or not len(self) else 1 - float(self._surviving[-1])

    def at_risk(self, bucket: int) -> float:
        """Number that ended in a bucket or later, or were cut off there; of unequal weights, the
        number of equal ones that would say as much.
        """
        return float(self._at_risk[bucket])

    @cached_property
    def _at_risk(self) -> Floats:
        """The same from each bucket on (Kish 1965)."""
        sums = np.cumsum(self._weighed(self.counts)[::-1])[::-1]
        if self.weights is None:
            return sums
        squares = np.cumsum(self._weighed(self.counts, 2)[::-1])[::-1]
        found: Floats = np.divide(sums**2, squares, out=np.zeros(len(sums)), where=squares > 0)
        return found

    def surviving_until(self, bucket: int) -> float:
        """Share that is not over before a bucket."""
        if self.is_plain:
            return self.at_risk(bucket) / len(self)
        return float(self._surviving[bucket - 1]) if bucket else 1.0

    @cached_property
    def _surviving(self) -> Floats:
        """Share that is not over at the end of each bucket, of durations of which some were cut."""
        totals = self._weighed(self.counts)
        at_risk = np.cumsum(totals[::-1])[::-1]
        ended = totals if self.cut is None else totals - self._weighed(self.cut)
        ending = np.divide(ended, at_risk, out=np.zeros(len(ended)), where=at_risk > 0)
        surviving: Floats = np.cumprod(1 - ending)
        return surviving

    def worth(self, bucket: int) -> float:
        """Independent durations that one is worth, by those of which it is known whether they had
        ended by the end of a bucket; 1 where there are none."""
        counts = self.counts
        if self.cut is not None:
            unknown = self.cut * (np.arange(len(self.highs)) < bucket)
            counts = counts - unknown
        known = replace(self, counts=counts, cut=None)
        if not len(known):
            return 1.0
        return known.effective_size(self.highs <= self.highs[bucket]) / len(known)

    def longest_supported(self, needed: float) -> int | None:
        """The last bucket that so many durations would have to be begun for, none of them cut off,
        to leave as many at risk there; None where there is none."""
        at_risk = self._at_risk
        before = np.concatenate([[1.0], self._surviving[:-1]])
        # Support never rises with the duration: it loses who was cut off before.
        enough = np.flatnonzero((at_risk > 0) & (at_risk >= needed * before))
        return int(enough[-1]) if len(enough) else None

    def effective_size(self, below: Flags) -> float:
        """Independent durations that the share in the buckets ``below`` is worth.

        What happens within a second hangs together (one message's deliveries leave in one
        loop), so the durations are clusters, and the variance of the share between seconds says
        how many independent ones would vary as much: n divided by the design effect (Kish 1965).
        One second tells nothing of that: it counts as one duration. On a ramp seconds differ by
        their load as well: there their shares are compared with that of their part (Cochran 1977,
        "Sampling Techniques", chapter 5).
        """
        sizes = self.counts.sum(axis=1).astype(np.float64)
        filled = sizes > 0
        clusters = int(np.count_nonzero(filled))
        n = float(sizes.sum())
        if clusters < 2:
            return float(clusters)
        hits = self.counts[:, below].sum(axis=1).astype(np.float64)
        share = hits.sum() / n
        if share in (0.0, 1.0):
            return n
        residuals = (hits - sizes * self._shares(hits, sizes, float(share)))[filled]
        variance = clusters / (clusters - 1) * float(residuals @ residuals)
        effect = max(1.0, variance / (n * float(share) * (1 - float(share))))
        return n / effect

    def _shares(self, hits: Floats, sizes: Floats, share: float) -> Floats | float:
        """The share that each block is expected to have."""
        if self.strata is None:
            return share
        own, all_own = np.bincount(self.strata, hits), np.bincount(self.strata, sizes)
        found: Floats = np.divide(own, all_own, out=np.zeros(len(own)), where=all_own > 0)
        return found[self.strata]


def bucket_of(totals: Ints, level: float) -> int:
    """Index of the bucket that holds the percentile; ValueError without durations."""
    n = int(totals.sum())
    if n == 0:
        raise ValueError("no durations, no percentile")
    return int(np.searchsorted(np.cumsum(totals), percentiles.rank(level, n)))


def merged(samples: HistogramSamples, blocks: int) -> HistogramSamples:
    """The same with each ``blocks`` consecutive blocks made one; the number must be a multiple."""
    shape = (samples.blocks // blocks, blocks, len(samples.lows))
    counts = samples.counts.reshape(shape).sum(axis=1)
    cut = None if samples.cut is None else samples.cut.reshape(shape).sum(axis=1)
    return HistogramSamples(samples.lows, samples.highs, counts, cut)


def gathered(samples: HistogramSamples, into: Ints, blocks: int) -> HistogramSamples:
    """The samples in ``blocks`` blocks, each of them made of those that go ``into`` it."""

    def gather(counts: Ints) -> Ints:
        found = np.zeros((blocks, counts.shape[1]), dtype=np.int64)
        np.add.at(found, into, counts)
        return found

    cut = None if samples.cut is None else gather(samples.cut)
    return HistogramSamples(samples.lows, samples.highs, gather(samples.counts), cut)


def added(one: HistogramSamples, other: HistogramSamples) -> HistogramSamples:
    """The durations of both, block by block."""
    if not len(one) or not len(other):
        return one if len(one) else other
    first, second = on_common_buckets([one, other])
    cuts = [of.cut for of in (first, second) if of.cut is not None]
    cut = sum(cuts[1:], start=cuts[0]) if cuts else None
    return HistogramSamples(first.lows, first.highs, first.counts + second.counts, cut)


def quiet_blocks(samples: HistogramSamples, chosen: Flags, until_ns: Ints) -> HistogramSamples:
    """The chosen blocks; in each of them durations are cut off after ``until_ns``.

    They are known to have lasted until the end of the last bucket that lies before.
    """
    counts, cut = samples.counts[chosen].copy(), np.zeros_like(samples.counts[chosen])
    known = np.searchsorted(samples.highs, until_ns[chosen], side="right")
    for block, buckets in enumerate(known):
        longer = int(counts[block, buckets:].sum())
        counts[block, buckets:] = 0
        if buckets:  # else nothing at all is known of them
            counts[block, buckets - 1] += longer
            cut[block, buckets - 1] = longer
    return HistogramSamples(samples.lows, samples.highs, counts, cut if cut.any() else None)


def pooled(trials: Sequence[HistogramSamples]) -> HistogramSamples:
    """The blocks of all trials, which have common buckets."""
    counts = np.concatenate([trial.counts for trial in trials])
    weights = None
    if any(trial.weights is not None for trial in trials):
        weights = np.concatenate([_weights_of(trial) for trial in trials])
    first = trials[0]
    return HistogramSamples(first.lows, first.highs, counts, _cut_of(trials), weights=weights)


def _weights_of(trial: HistogramSamples) -> Floats:
    return np.ones(trial.blocks) if trial.weights is None else trial.weights


def _cut_of(trials: Sequence[HistogramSamples]) -> Ints | None:
    if all(trial.cut is None for trial in trials):
        return None
    return np.concatenate(
        [np.zeros_like(trial.counts) if trial.cut is None else trial.cut for trial in trials]
    )


def on_common_buckets(trials: Sequence[HistogramSamples]) -> list[HistogramSamples]:
    """The same durations, all over one set of buckets: those that are used anywhere."""
    lows = np.unique(np.concatenate([trial.lows for trial in trials]))
    highs = np.zeros(len(lows), dtype=np.int64)

    def spread(trial: HistogramSamples, counts: Ints) -> Ints:
        spread = np.zeros((trial.blocks, len(lows)), dtype=np.int64)
        spread[:, np.searchsorted(lows, trial.lows)] = counts
        return spread

    for trial in trials:
        np.maximum.at(highs, np.searchsorted(lows, trial.lows), trial.highs)
    return [
        replace(
            trial,
            lows=lows,
            highs=highs,
            counts=spread(trial, trial.counts),
            cut=None if trial.cut is None else spread(trial, trial.cut),
        )
        for trial in trials
    ]


def bin_histograms(trials: Sequence[HistogramSamples]) -> BinnedBlocks:
    """The blocks of all trials (over common buckets) as the bootstrap takes them: none empty."""
    together = pooled(trials)
    used = together.counts.any(axis=0)
    lows, highs = (ends[used].astype(np.float64) for ends in (together.lows, together.highs))
    cut = None if together.cut is None else together.cut[:, used].astype(np.float32)
    return BinnedBlocks(together.counts[:, used].astype(np.float32), lows, highs, cut)
