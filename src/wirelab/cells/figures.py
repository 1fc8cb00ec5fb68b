"""How values of trials become figures: with their interval, their size, or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from wirelab.cells.by_block import Groups
from wirelab.cells.curves import curve
from wirelab.cells.estimate import Estimate
from wirelab.model.result import Curve, Unsupported
from wirelab.stats import autocorrelation, percentiles, support
from wirelab.stats.blocks import TimedSamples, bin_blocks
from wirelab.stats.bootstrap import Floats, Resampling, wider_interval
from wirelab.stats.trials import bounding, trials_interval

TOO_FEW = "too-few-samples"
TOO_FEW_TRIALS = "too-few-trials"
NOT_MEASURED = "not-measured"
NOT_REPORTED = "not-reported"
TOO_SHORT = "too-short"
UNWATCHED = "unwatched"


def too_few(has: float, needs: float, n: int | None = None) -> Estimate:
    """No value, because ``has`` effective samples do not support one."""
    reason = Unsupported(code=TOO_FEW, has=round(has, 1), needs=needs)
    return Estimate(None, n=n, effective_n=round(has, 1), unsupported=reason)


def of_trials(
    values: Sequence[float | None],
    combine: Callable[[Sequence[float]], float] = lambda known: float(np.mean(known)),
    *,
    estimate: bool = True,
    signed: bool = False,
    absent: str = NOT_MEASURED,
) -> Estimate:
    """One value a trial, combined: the mean, or what ``combine`` makes of them.

    ``estimate`` is false for what is observed rather than estimated (a maximum, a count): it
    has no interval. ``signed`` figures may be negative. ``absent`` is the code of why no trial
    has a value.
    """
    known = [value for value in values if value is not None]
    if not known:
        return Estimate.absent(absent)
    value = combine(known)
    interval = trials_interval(value, known, signed=signed) if estimate else None
    return Estimate(value, bounding(value, interval), per_trial=tuple(values))


def total(counts: Sequence[float]) -> Estimate:
    """The sum over all trials of what was counted in each."""
    return of_trials(counts, lambda known: float(sum(known)), estimate=False)


def share(parts: Sequence[int], wholes: Sequence[int]) -> Estimate:
    """Pooled share in %: exact, so without an interval; empty trials have none of their own."""
    if sum(wholes) == 0:
        return Estimate.absent(NOT_MEASURED)
    own = [100 * p / w if w else None for p, w in zip(parts, wholes, strict=True)]
    return Estimate(100 * sum(parts) / sum(wholes), n=sum(wholes), per_trial=tuple(own))


class DurationFigures:
    """Figures of durations of one kind, pooled over the trials of a cell."""

    def __init__(
        self, trials: Sequence[TimedSamples], resampling: Resampling, groups: Groups
    ) -> None:
        self._trials = trials
        self._resampling = resampling
        self._groups = groups
        self._sorted = [np.sort(trial.values) for trial in trials]
        self.ordered = percentiles.pooled(self._sorted)

    def curve(self) -> Curve | None:
        """The distribution for charts."""
        return curve(self.ordered)

    def estimates(self, prefix: str) -> dict[str, Estimate]:
        """``prefix.mean``, ``.p50`` … ``.max`` in ms."""
        return {
            f"{prefix}.mean": self._mean(),
            **{f"{prefix}.{name}": metric for name, metric in self._percentiles().items()},
            f"{prefix}.max": self._maximum(),
        }

    def _mean(self) -> Estimate:
        values = [trial.values for trial in self._trials]
        sizes = [autocorrelation.effective_size(series) for series in values]
        if sum(sizes) < support.MEAN_NEEDS:
            return too_few(sum(sizes), support.MEAN_NEEDS, len(self.ordered))
        value = float(self.ordered.mean()) / 1e6
        means = [float(series.mean()) / 1e6 if len(series) else None for series in values]
        replicates = None
        if self._resampling.usable:
            sums = np.concatenate([_block_sums(trial) for trial in self._trials]) / 1e6
            counts = np.concatenate([np.diff(trial.bounds) for trial in self._trials])
            replicates = self._resampling.means(sums, counts.astype(np.float64))
        interval = wider_interval(value, replicates, known_values(means))
        return self._estimate(value, interval, means, sum(sizes))

    def _percentiles(self) -> dict[str, Estimate]:
        sizes = {p: self._effective_sizes(p) for p in percentiles.PERCENTILES}
        found = percentile_estimates(len(self.ordered), sizes, self._at, self._replicates)
        return merged_estimates(found, sizes, self._groups, self._of_group)

    def _of_group(self, trials: Sequence[int], levels: Sequence[float]) -> list[float]:
        together = percentiles.pooled([self._sorted[at] for at in trials])
        return [float(percentiles.percentile(together, level)) / 1e6 for level in levels]

    def _at(self, level: float) -> tuple[float, list[float | None]]:
        own = [
            float(percentiles.percentile(s, level)) / 1e6 if len(s) else None for s in self._sorted
        ]
        return float(percentiles.percentile(self.ordered, level)) / 1e6, own

    def _replicates(self, levels: Sequence[float]) -> Floats | None:
        if not self._resampling.usable:
            return None
        return self._resampling.percentiles(bin_blocks(self.ordered, self._trials), levels) / 1e6

    def _effective_sizes(self, percentile: float) -> list[float]:
        if not len(self.ordered):
            return [0.0]
        value = percentiles.percentile(self.ordered, percentile)
        return [autocorrelation.effective_size(trial.values <= value) for trial in self._trials]

    def _maximum(self) -> Estimate:
        if not len(self.ordered):
            return too_few(0, 1, 0)
        maxima = [float(s[-1]) / 1e6 if len(s) else None for s in self._sorted]
        value = float(self.ordered[-1]) / 1e6
        return Estimate(value, n=len(self.ordered), per_trial=tuple(maxima))

    def _estimate(
        self,
        value: float,
        interval: tuple[float, float] | None,
        per_trial: Sequence[float | None],
        effective: float,
    ) -> Estimate:
        return duration_estimate(value, interval, per_trial, effective, len(self.ordered))


def duration_estimate(
    value: float,
    interval: tuple[float, float] | None,
    per_trial: Sequence[float | None],
    effective: float,
    n: int,
) -> Estimate:
    """A duration in ms with its interval and the size of what it rests on."""
    return Estimate(
        value,
        interval=bounding(value, interval),
        n=n,
        effective_n=round(effective, 1),
        per_trial=tuple(per_trial),
    )


def percentile_estimates(
    count: int,
    sizes: Mapping[float, Sequence[float]],
    values_at: Callable[[float], tuple[float, list[float | None]]],
    replicates: Callable[[Sequence[float]], Floats | None],
) -> dict[str, Estimate]:
    """A figure for each percentile of ``sizes``, by its label.

    ``count`` samples are pooled; ``sizes`` has the effective number of them in each trial.
    ``values_at`` gives the percentile of the pool and of each trial, in ms, and ``replicates``
    that of each resample, in ms, a column a level; None where there is nothing to draw from.
    """
    printed = [p for p, own in sizes.items() if sum(own) >= support.needed_samples(p)]
    drawn = replicates(printed) if printed else None
    metrics = {}
    for level, own_sizes in sizes.items():
        name = percentiles.label(level)
        needs, has = support.needed_samples(level), sum(own_sizes)
        if level not in printed:
            metrics[name] = too_few(has, needs, count)
            continue
        value, own = values_at(level)
        column = None if drawn is None else drawn[:, printed.index(level)]
        interval = wider_interval(value, column, known_values(own))
        shown = [v if size >= needs else None for v, size in zip(own, own_sizes, strict=True)]
        metrics[name] = duration_estimate(value, interval, shown, has, count)
    return metrics


def merged_estimates(
    found: Mapping[str, Estimate],
    sizes: Mapping[float, Sequence[float]],
    groups: Groups,
    values_of: Callable[[Sequence[int], Sequence[float]], list[float]],
) -> dict[str, Estimate]:
    """The percentiles with those of neighbouring trials made one, which support more.

    ``values_of`` gives percentiles (ms) of some trials together.
    """
    printed = [level for level in sizes if found[percentiles.label(level)].value is not None]
    merged: dict[float, dict[int, tuple[float | None, ...]]] = {level: {} for level in sizes}
    for number, members in groups.items() if printed else ():
        rows = []
        for trials in members:
            held = {level: sum(sizes[level][at] for at in trials) for level in printed}
            enough = [level for level in printed if held[level] >= support.needed_samples(level)]
            rows.append(dict(zip(enough, values_of(trials, enough), strict=True)))
        for level in printed:
            merged[level][number] = tuple(row.get(level) for row in rows)
    return {
        percentiles.label(level): replace(found[percentiles.label(level)], merged=merged[level])
        for level in sizes
    }


def known_values(values: Sequence[float | None]) -> list[float]:
    """The values that there are."""
    return [value for value in values if value is not None]


def _block_sums(trial: TimedSamples) -> npt.NDArray[np.float64]:
    cumulated = np.concatenate(([0], np.cumsum(trial.values)))
    sums: npt.NDArray[np.float64] = np.diff(cumulated[trial.bounds]).astype(np.float64)
    return sums
