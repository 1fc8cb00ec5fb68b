"""Percentiles of durations of which some were cut off, however they were kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from wirelab.cells.estimate import Estimate
from wirelab.cells.figures import as_least
from wirelab.stats import percentiles


@dataclass(frozen=True)
class KnownLevel:
    """A percentile of the pool (ns), and the effective samples of each trial that support it.

    Where it is not ``reached`` the percentile is ``value`` or more.
    """

    value: int
    reached: bool
    sizes: list[float]


def ascending(levels: Mapping[float, KnownLevel]) -> dict[float, KnownLevel]:
    """The same; what only a lower bound is known of is no less than any percentile before it."""
    found: dict[float, KnownLevel] = {}
    least = 0
    for level, one in levels.items():
        least = max(least, one.value)
        found[level] = one if one.reached else replace(one, value=least)
    return found


def as_far_as_known(
    estimates: Mapping[str, Estimate], levels: Mapping[float, KnownLevel]
) -> dict[str, Estimate]:
    """Percentiles of durations of which some were cut off.

    Where one is not reached in resamples nothing bounds it from above, and the trials that reach it
    by themselves are chosen by their figures.
    """
    found = dict(estimates)
    for level, one in levels.items():
        estimate = found[percentiles.label(level)]
        if estimate.value is None:
            continue
        if not one.reached:
            found[percentiles.label(level)] = as_least(estimate)
        elif estimate.interval is None:
            found[percentiles.label(level)] = replace(estimate, per_trial=())
    return found


def with_uncensored(
    estimates: Mapping[str, Estimate],
    prefix: str,
    everything: Callable[[float], float] | None,
    n: int,
) -> dict[str, Estimate]:
    """The same with the percentiles of all ``n`` durations (ns), disturbed or not, beside them, as
    far as so many support them; None: there are no durations."""
    if everything is None:
        return dict(estimates)
    found = dict(estimates)
    for percentile in percentiles.PERCENTILES:
        key = f"{prefix}.{percentiles.label(percentile)}"
        one = found.get(key)
        if one is not None and (one.unsupported is None or n >= (one.unsupported.needs or 0)):
            found[key] = replace(one, uncensored=everything(percentile) / 1e6)
    return found
