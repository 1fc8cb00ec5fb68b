"""Durations that were counted into buckets instead of being kept one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wirelab.stats import percentiles
from wirelab.stats.blocks import BinnedBlocks

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class CountedSamples:
    """``counts[i, j]`` durations of block *i* (a second) in bucket ``lows[j]`` to ``highs[j]``, ns.

    Buckets are in ascending order; their width is the resolution, a thousandth of the value for
    three significant digits.
    """

    lows: Ints
    highs: Ints
    counts: Ints

    @property
    def blocks(self) -> int:
        """Number of blocks, empty ones included."""
        return len(self.counts)

    def __len__(self) -> int:
        """Number of durations."""
        return int(self.counts.sum())

    @property
    def totals(self) -> Ints:
        """Number of durations by bucket."""
        totals: Ints = self.counts.sum(axis=0)
        return totals

    @property
    def middles(self) -> Floats:
        """The value that stands for each bucket in a mean, ns."""
        middles: Floats = (self.lows + self.highs) / 2
        return middles

    def percentile(self, level: float) -> float:
        """The value (ns) at or below which ``level`` % of the durations lie.

        Nearest rank, as ``wirelab.stats.percentiles`` has it; the upper end of the bucket, so
        that no duration is flattered. ValueError without durations.
        """
        return float(self.highs[bucket_of(self.totals, level)])

    def mean(self) -> float:
        """Mean in ns; nan without durations."""
        total = len(self)
        return float(np.dot(self.totals, self.middles)) / total if total else float("nan")

    def effective_size(self, below: npt.NDArray[np.bool_]) -> float:
        """Independent durations that the share in the buckets ``below`` is worth.

        What happens within a second hangs together (one message's deliveries leave in one
        loop), so the durations are clusters, and the variance of the share between seconds says
        how many independent ones would vary as much: n divided by the design effect (Kish 1965).
        One second tells nothing of that: it counts as one duration.
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
        residuals = (hits - sizes * share)[filled]
        variance = clusters / (clusters - 1) * float(residuals @ residuals)
        effect = max(1.0, variance / (n * float(share) * (1 - float(share))))
        return n / effect


def bucket_of(totals: Ints, level: float) -> int:
    """Index of the bucket that holds the percentile; ValueError without durations."""
    n = int(totals.sum())
    if n == 0:
        raise ValueError("no durations, no percentile")
    return int(np.searchsorted(np.cumsum(totals), percentiles.rank(level, n)))


def merged(samples: CountedSamples, blocks: int) -> CountedSamples:
    """The same with each ``blocks`` consecutive blocks made one; the number must be a multiple."""
    shape = (samples.blocks // blocks, blocks, len(samples.lows))
    counts = samples.counts.reshape(shape).sum(axis=1)
    return CountedSamples(samples.lows, samples.highs, counts)


def on_common_buckets(trials: Sequence[CountedSamples]) -> list[CountedSamples]:
    """The same durations, all over one set of buckets: those that are used anywhere."""
    lows = np.unique(np.concatenate([trial.lows for trial in trials]))
    highs = np.zeros(len(lows), dtype=np.int64)
    spread = []
    for trial in trials:
        at = np.searchsorted(lows, trial.lows)
        np.maximum.at(highs, at, trial.highs)
        counts = np.zeros((trial.blocks, len(lows)), dtype=np.int64)
        counts[:, at] = trial.counts
        spread.append(counts)
    return [CountedSamples(lows, highs, counts) for counts in spread]


def bin_counted(trials: Sequence[CountedSamples]) -> BinnedBlocks:
    """The blocks of all trials (over common buckets) as the bootstrap takes them: none empty."""
    counts = np.concatenate([trial.counts for trial in trials])
    used = counts.any(axis=0)
    lows, highs = (ends[used].astype(np.float64) for ends in (trials[0].lows, trials[0].highs))
    return BinnedBlocks(counts[:, used].astype(np.float32), lows, highs)
