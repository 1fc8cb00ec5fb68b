"""The way from values of trials to figures: with their interval, their size, or the reason for
none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from wirelab.cells.by_block import Groups
from wirelab.cells.estimate import Estimate
from wirelab.model.result import Unsupported
from wirelab.stats import percentiles, support
from wirelab.stats.bootstrap import Floats, wider_interval
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


def as_least(estimate: Estimate) -> Estimate:
    """The same, of which only a lower bound is known: nothing bounds it from above, and what is
    known of single trials is chosen by their figures."""
    return replace(estimate, interval=None, per_trial=(), at_least=True)


def total(counts: Sequence[float]) -> Estimate:
    """The sum over all trials of what was counted in each."""
    return of_trials(counts, lambda known: float(sum(known)), estimate=False)


def share(parts: Sequence[int], wholes: Sequence[int]) -> Estimate:
    """Pooled share in %: exact, so without an interval; empty trials have none of their own."""
    if sum(wholes) == 0:
        return Estimate.absent(NOT_MEASURED)
    own = [100 * p / w if w else None for p, w in zip(parts, wholes, strict=True)]
    return Estimate(100 * sum(parts) / sum(wholes), n=sum(wholes), per_trial=tuple(own))


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
    short = _unsupported(sizes)
    printed = [level for level in sizes if level not in short]
    drawn = replicates(printed) if printed else None
    metrics = {}
    for level, own_sizes in sizes.items():
        name = percentiles.label(level)
        if level in short:
            metrics[name] = too_few(*short[level], count)
            continue
        needs, has = support.needed_samples(level), sum(own_sizes)
        value, own = values_at(level)
        column = None if drawn is None else drawn[:, printed.index(level)]
        interval = wider_interval(value, column, known_values(own))
        shown = [v if size >= needs else None for v, size in zip(own, own_sizes, strict=True)]
        metrics[name] = duration_estimate(value, interval, shown, has, count)
    return metrics


def _unsupported(sizes: Mapping[float, Sequence[float]]) -> dict[float, tuple[float, int]]:
    """Percentiles that are not printed: effective samples that there are, and those needed.

    None is printed beyond one that is not. A slow stretch leaves less to support p95 than single
    peaks leave p99, but p99 alone would say how the peaks are, and nothing of the stretch.
    """
    found: dict[float, tuple[float, int]] = {}
    lacking: tuple[float, int] | None = None
    for level, own in sorted(sizes.items()):
        has, needs = sum(own), support.needed_samples(level)
        if has < needs:
            lacking = has, needs
        if lacking is not None:
            found[level] = lacking
    return found


def merged_estimates(
    found: Mapping[str, Estimate],
    sizes: Mapping[float, Sequence[float]],
    groups: Groups,
    values_of: Callable[[Sequence[int], Sequence[float]], Sequence[float | None]],
) -> dict[str, Estimate]:
    """The percentiles with those of neighbouring trials made one, which support more.

    ``values_of`` gives percentiles (ms) of some trials together, None of one that is not reached.
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
