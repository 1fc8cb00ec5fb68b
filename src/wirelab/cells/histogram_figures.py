"""Figures of durations that were recorded in histograms, one a second."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from wirelab.cells.by_block import Groups
from wirelab.cells.curves import histogram_curve
from wirelab.cells.estimate import Estimate
from wirelab.cells.figures import (
    duration_estimate,
    known_values,
    merged_estimates,
    percentile_estimates,
    too_few,
)
from wirelab.cells.levels import KnownLevel, as_far_as_known, ascending
from wirelab.model.result import Curve
from wirelab.stats import percentiles, support
from wirelab.stats.bootstrap import Floats, Resampling, wider_interval
from wirelab.stats.histograms import HistogramSamples, bin_histograms, on_common_buckets, pooled


class HistogramFigures:
    """Figures of durations of one kind, pooled over the trials of a cell.

    The figures are those of ``DurationFigures``; a percentile is the upper end of its bucket,
    and the effective sizes come from the variance between seconds.
    """

    def __init__(
        self, trials: Sequence[HistogramSamples], resampling: Resampling, groups: Groups
    ) -> None:
        self._trials = on_common_buckets(trials)
        self._resampling = resampling
        self._groups = groups
        self._pooled = pooled(self._trials)

    def estimates(self, prefix: str) -> dict[str, Estimate]:
        """``prefix.mean``, ``.p50`` … ``.max`` in ms."""
        if not len(self._pooled):
            names = ["mean", *(percentiles.label(p) for p in percentiles.PERCENTILES), "max"]
            return {f"{prefix}.{name}": too_few(0, 1, 0) for name in names}
        return {
            f"{prefix}.mean": self._mean(),
            **{f"{prefix}.{name}": metric for name, metric in self._percentiles().items()},
            f"{prefix}.max": self._maximum(),
        }

    def curve(self) -> Curve | None:
        """The distribution for charts."""
        return histogram_curve(self._pooled)

    def _mean(self) -> Estimate:
        sizes = self._sizes(self._pooled.bucket(50)[0])
        if sum(sizes) < support.MEAN_NEEDS:
            return too_few(sum(sizes), support.MEAN_NEEDS, len(self._pooled))
        value = self._pooled.mean() / 1e6
        own = [trial.mean() / 1e6 if len(trial) else None for trial in self._trials]
        interval = wider_interval(value, self._means(), known_values(own))
        at_least = self._pooled.share_ended < 1
        shown = duration_estimate(
            value, None if at_least else interval, own, sum(sizes), len(self._pooled)
        )
        return replace(shown, at_least=at_least)

    def _means(self) -> Floats | None:
        if not self._resampling.usable:
            return None
        if self._pooled.cut is not None:
            return self._resampling.censored_means(bin_histograms(self._trials)) / 1e6
        counts = self._pooled.counts
        sums = counts @ self._pooled.middles / 1e6
        return self._resampling.means(sums, counts.sum(axis=1).astype(np.float64))

    def _percentiles(self) -> dict[str, Estimate]:
        levels = ascending({p: self._level(p) for p in percentiles.PERCENTILES})
        sizes = {p: level.sizes for p, level in levels.items()}

        def values_at(level: float) -> tuple[float, list[float | None]]:
            return levels[level].value / 1e6, [_reached(trial, level) for trial in self._trials]

        found = percentile_estimates(len(self._pooled), sizes, values_at, self._replicates)
        if not self._pooled.is_plain:
            found = as_far_as_known(found, levels)
        return merged_estimates(found, sizes, self._groups, self._of_group)

    def _of_group(self, trials: Sequence[int], levels: Sequence[float]) -> list[float | None]:
        together = pooled([self._trials[at] for at in trials])
        return [_reached(together, level) for level in levels]

    def _level(self, level: float) -> KnownLevel:
        """A percentile; where too many were cut off before it, the longest duration that enough of
        them are known to have lasted."""
        bucket, reached = self._pooled.bucket(level)
        sizes = self._sizes(bucket)
        found = KnownLevel(int(self._pooled.highs[bucket]), reached, sizes)
        needed = support.needed_samples(level)
        if self._pooled.is_plain or (reached and sum(sizes) >= needed):
            return found
        least = min(trial.worth(bucket) for trial in self._trials)
        bound = self._pooled.longest_supported(needed / least)
        if bound is None:
            return found
        worth = [least] * len(self._trials)
        return KnownLevel(int(self._pooled.highs[bound]), False, self._supporting(bound, worth))

    def _sizes(self, bucket: int) -> list[float]:
        """Independent durations of each trial that support a percentile in a bucket."""
        if self._pooled.is_plain:
            below = self._pooled.highs <= self._pooled.highs[bucket]
            return [trial.effective_size(below) for trial in self._trials]
        return self._supporting(bucket, [trial.worth(bucket) for trial in self._trials])

    def _supporting(self, bucket: int, worth: Sequence[float]) -> list[float]:
        """Numbers of samples that, none of them cut off, would leave as many at risk there; each
        counts as the number of independent ones that it is worth."""
        surviving = self._pooled.surviving_until(bucket)
        pairs = zip(self._trials, worth, strict=True)
        return [trial.at_risk(bucket) / surviving * each for trial, each in pairs]

    def _replicates(self, levels: Sequence[float]) -> Floats | None:
        if not self._resampling.usable:
            return None
        return self._resampling.percentiles(bin_histograms(self._trials), levels) / 1e6

    def _maximum(self) -> Estimate:
        maxima = [t.percentile(100) / 1e6 if len(t) else None for t in self._trials]
        value = self._pooled.percentile(100) / 1e6
        at_least = self._pooled.share_ended < 1
        return Estimate(value, n=len(self._pooled), per_trial=tuple(maxima), at_least=at_least)


def _reached(samples: HistogramSamples, level: float) -> float | None:
    """A percentile in ms; None where there are no durations, or it was not reached."""
    if not len(samples):
        return None
    bucket, reached = samples.bucket(level)
    return float(samples.highs[bucket]) / 1e6 if reached else None


def percentile_of_histograms(trials: Sequence[HistogramSamples]) -> Callable[[float], float] | None:
    """Percentiles (ns) of all durations, none of them cut off; None where there are none."""
    everything = pooled(on_common_buckets(trials))
    return everything.percentile if len(everything) else None
