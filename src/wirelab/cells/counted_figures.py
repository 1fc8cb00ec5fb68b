"""Figures of durations that were counted into buckets by the second."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wirelab.cells.by_block import Groups
from wirelab.cells.curves import counted_curve
from wirelab.cells.estimate import Estimate
from wirelab.cells.figures import (
    duration_estimate,
    known_values,
    merged_estimates,
    percentile_estimates,
    too_few,
)
from wirelab.model.result import Curve
from wirelab.stats import percentiles, support
from wirelab.stats.bootstrap import Floats, Resampling, wider_interval
from wirelab.stats.counted import CountedSamples, bin_counted, on_common_buckets


class CountedFigures:
    """Figures of durations of one kind, pooled over the trials of a cell.

    The figures are those of ``DurationFigures``; a percentile is the upper end of its bucket,
    and the effective sizes come from the variance between seconds.
    """

    def __init__(
        self, trials: Sequence[CountedSamples], resampling: Resampling, groups: Groups
    ) -> None:
        self._trials = on_common_buckets(trials)
        self._resampling = resampling
        self._groups = groups
        counts = np.concatenate([trial.counts for trial in self._trials])
        first = self._trials[0]
        self._pooled = CountedSamples(first.lows, first.highs, counts)

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
        return counted_curve(self._pooled)

    def _mean(self) -> Estimate:
        sizes = [trial.effective_size(self._below(50)) for trial in self._trials]
        if sum(sizes) < support.MEAN_NEEDS:
            return too_few(sum(sizes), support.MEAN_NEEDS, len(self._pooled))
        value = self._pooled.mean() / 1e6
        own = [trial.mean() / 1e6 if len(trial) else None for trial in self._trials]
        replicates = None
        if self._resampling.usable:
            counts = self._pooled.counts
            sums = counts @ self._pooled.middles / 1e6
            replicates = self._resampling.means(sums, counts.sum(axis=1).astype(np.float64))
        interval = wider_interval(value, replicates, known_values(own))
        return duration_estimate(value, interval, own, sum(sizes), len(self._pooled))

    def _percentiles(self) -> dict[str, Estimate]:
        sizes = {
            p: [trial.effective_size(self._below(p)) for trial in self._trials]
            for p in percentiles.PERCENTILES
        }
        found = percentile_estimates(len(self._pooled), sizes, self._at, self._replicates)
        return merged_estimates(found, sizes, self._groups, self._of_group)

    def _of_group(self, trials: Sequence[int], levels: Sequence[float]) -> list[float]:
        counts = np.concatenate([self._trials[at].counts for at in trials])
        together = CountedSamples(self._pooled.lows, self._pooled.highs, counts)
        return [together.percentile(level) / 1e6 for level in levels]

    def _at(self, level: float) -> tuple[float, list[float | None]]:
        own = [trial.percentile(level) / 1e6 if len(trial) else None for trial in self._trials]
        return self._pooled.percentile(level) / 1e6, own

    def _replicates(self, levels: Sequence[float]) -> Floats | None:
        if not self._resampling.usable:
            return None
        return self._resampling.percentiles(bin_counted(self._trials), levels) / 1e6

    def _below(self, level: float) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        below: np.ndarray[tuple[int], np.dtype[np.bool_]] = (
            self._pooled.highs <= self._pooled.percentile(level)
        )
        return below

    def _maximum(self) -> Estimate:
        maxima = [t.percentile(100) / 1e6 if len(t) else None for t in self._trials]
        value = self._pooled.percentile(100) / 1e6
        return Estimate(value, n=len(self._pooled), per_trial=tuple(maxima))
