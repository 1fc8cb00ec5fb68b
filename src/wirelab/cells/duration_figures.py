"""Figures of durations that were kept one by one, of which some may have been cut off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from wirelab.cells.by_block import Groups
from wirelab.cells.curves import curve
from wirelab.cells.estimate import Estimate
from wirelab.cells.figures import (
    as_least,
    duration_estimate,
    known_values,
    merged_estimates,
    percentile_estimates,
    too_few,
)
from wirelab.cells.levels import KnownLevel, as_far_as_known, ascending
from wirelab.model.result import Curve
from wirelab.stats import autocorrelation, percentiles, support
from wirelab.stats.blocks import BinnedBlocks, TimedSamples, bin_blocks
from wirelab.stats.bootstrap import Floats, Resampling, wider_interval
from wirelab.stats.survival import Distribution

_UNSEEN = 0.01
"""Share of the durations that may last up to the longest seen for a mean to be known: by how much
longer they last goes into no figure."""


class DurationFigures:
    """Figures of durations of one kind, pooled over the trials of a cell."""

    def __init__(
        self, trials: Sequence[TimedSamples], resampling: Resampling, groups: Groups
    ) -> None:
        self._trials = trials
        self._resampling = resampling
        self._groups = groups
        self._own = [Distribution.of(t.values, t.ended, t.weights) for t in trials]
        self._pool = Distribution.pooled(self._own)
        self._n = len(self._pool.ordered)

    def curve(self) -> Curve | None:
        """The distribution for charts."""
        return curve(self._pool)

    def estimates(self, prefix: str) -> dict[str, Estimate]:
        """``prefix.mean``, ``.p50`` … ``.max`` in ms."""
        return {
            f"{prefix}.mean": self._mean(),
            **{f"{prefix}.{name}": metric for name, metric in self._percentiles().items()},
            f"{prefix}.max": self._maximum(),
        }

    def _mean(self) -> Estimate:
        sizes = [_effective_size(trial, trial.values) for trial in self._trials]
        if sum(sizes) < support.MEAN_NEEDS:
            return too_few(sum(sizes), support.MEAN_NEEDS, self._n)
        value = self._pool.mean / 1e6
        means = [
            _mean_of(trial, own) / 1e6 if len(trial.values) else None
            for trial, own in zip(self._trials, self._own, strict=True)
        ]
        interval = wider_interval(value, self._means(), known_values(means))
        estimate = duration_estimate(value, interval, means, sum(sizes), self._n)
        if not _seen_to_the_end(self._pool):
            return as_least(estimate)
        cut = any(own.share_ended < 1 for own in self._own if len(own.ordered))
        return replace(estimate, per_trial=()) if cut else estimate

    def _means(self) -> Floats | None:
        if not self._resampling.usable:
            return None
        if self._pool.ended is not None:
            return self._resampling.censored_means(self._bins()) / 1e6
        sums = np.concatenate([_block_sums(trial) for trial in self._trials]) / 1e6
        counts = np.concatenate([np.diff(trial.bounds) for trial in self._trials])
        return self._resampling.means(sums, counts.astype(np.float64))

    def _percentiles(self) -> dict[str, Estimate]:
        levels = ascending({p: self._level(p) for p in percentiles.PERCENTILES})
        sizes = {p: level.sizes for p, level in levels.items()}

        def values_at(level: float) -> tuple[float, list[float | None]]:
            return levels[level].value / 1e6, [_reached(own, level) for own in self._own]

        found = percentile_estimates(self._n, sizes, values_at, self._replicates)
        if self._pool.ended is not None:
            found = as_far_as_known(found, levels)
        return merged_estimates(found, sizes, self._groups, self._of_group)

    def _of_group(self, trials: Sequence[int], levels: Sequence[float]) -> list[float | None]:
        together = Distribution.pooled([self._own[at] for at in trials])
        return [_reached(together, level) for level in levels]

    def _replicates(self, levels: Sequence[float]) -> Floats | None:
        if not self._resampling.usable:
            return None
        return self._resampling.percentiles(self._bins(), levels) / 1e6

    def _bins(self) -> BinnedBlocks:
        return bin_blocks(self._pool.ordered, self._trials)

    def _level(self, level: float) -> KnownLevel:
        """A percentile; where too many were cut off before it, the longest duration that enough of
        them are known to have lasted."""
        if not self._n:
            return KnownLevel(0, True, [0.0])
        found = self._pool.percentile(level)
        if self._pool.ended is None:
            sizes = [_effective_size(own, own.values <= found.value) for own in self._trials]
            return KnownLevel(found.value, True, sizes)
        worth = [_worth(trial, found.value) for trial in self._trials]
        sizes, needed = self._sizes(found.value, worth), support.needed_samples(level)
        if found.reached and sum(sizes) >= needed:
            return KnownLevel(found.value, True, sizes)
        least = min(worth)
        bound = self._pool.longest_supported(needed / least)
        if bound is None:
            return KnownLevel(found.value, found.reached, sizes)
        return KnownLevel(bound, False, self._sizes(bound, [least] * len(worth)))

    def _sizes(self, value: int, worth: Sequence[float]) -> list[float]:
        """Sizes that each trial needs to support a duration: so many, none of them cut off, would
        leave as many at risk there, and each is worth so many independent ones.
        """
        surviving = self._pool.surviving(value)
        own = zip(self._own, worth, strict=True)
        return [one.at_risk(value) / surviving * each for one, each in own]

    def _maximum(self) -> Estimate:
        if not self._n:
            return too_few(0, 1, 0)
        maxima = [float(o.ordered[-1]) / 1e6 if len(o.ordered) else None for o in self._own]
        value = float(self._pool.ordered[-1]) / 1e6
        at_least = self._pool.share_ended < 1
        return Estimate(value, n=self._n, per_trial=tuple(maxima), at_least=at_least)


def _seen_to_the_end(durations: Distribution) -> bool:
    """True where so few last up to the longest that what is beyond it moves no mean."""
    longest = int(durations.ordered[-1])
    return durations.ended is None or durations.surviving(longest) <= _UNSEEN


def _mean_of(trial: TimedSamples, own: Distribution) -> float:
    return float(trial.values.mean()) if own.ended is None else own.mean


def _reached(durations: Distribution, level: float) -> float | None:
    """A percentile in ms; None where there are no durations, or it was not reached."""
    if not len(durations.ordered):
        return None
    found = durations.percentile(level)
    return float(found.value) / 1e6 if found.reached else None


def _worth(trial: TimedSamples, value: int) -> float:
    """Independent samples that one of a trial is worth, by those of which it is known whether they
    ended up to ``value``; 1 where there are none."""
    ended = np.ones(len(trial.values), dtype=bool) if trial.ended is None else trial.ended
    over = ended & (trial.values <= value)
    known = ended | (trial.values >= value)
    number = int(np.count_nonzero(known))
    return _effective_size(trial, over, known) / number if number else 1.0


def _effective_size(
    trial: TimedSamples,
    series: npt.NDArray[Any],
    chosen: slice | npt.NDArray[np.bool_] = slice(None),
) -> float:
    """Number of independent samples that the chosen ones of a series of a trial are worth."""
    strata = None if trial.strata is None else trial.strata[chosen]
    return autocorrelation.effective_size(series[chosen], strata)


def percentile_of_all(trials: Sequence[TimedSamples]) -> Callable[[float], float] | None:
    """Percentiles (ns) of all durations, none of them cut off; None where there are none."""
    everything = Distribution.pooled([Distribution.of(trial.values) for trial in trials])
    if not len(everything.ordered):
        return None
    return lambda level: float(everything.percentile(level).value)


def _block_sums(trial: TimedSamples) -> npt.NDArray[np.float64]:
    cumulated = np.concatenate(([0], np.cumsum(trial.values)))
    sums: npt.NDArray[np.float64] = np.diff(cumulated[trial.bounds]).astype(np.float64)
    return sums
