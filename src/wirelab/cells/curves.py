"""Distributions as curves: values at percentiles that get denser towards the tail."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from wirelab.model.result import Curve
from wirelab.stats import percentiles, support
from wirelab.stats.histograms import HistogramSamples
from wirelab.stats.survival import Distribution

_STEPS_A_DECADE = 20


def curve(durations: Distribution) -> Curve | None:
    """The curve of durations (ns) in ms; None without any.

    Each factor of ten towards 100 % (0-90, 90-99, 99-99.9 …) has as many points. It goes as
    deep as the number of samples supports (``wirelab.stats.support``), then to the maximum; where
    the longest was cut off, to the share that is known to have ended.
    """
    if not len(durations.ordered):
        return None
    count = int(durations.percentile(percentiles.PERCENTILES[-1]).support)
    most = 100 * durations.share_ended
    return _drawn(count, lambda level: float(durations.percentile(level).value), most)


def histogram_curve(samples: HistogramSamples) -> Curve | None:
    """The same of durations in histograms."""
    if not len(samples):
        return None
    bucket, _ = samples.bucket(percentiles.PERCENTILES[-1])
    surviving = samples.surviving_until(bucket)
    count = len(samples) if samples.cut is None else int(samples.at_risk(bucket) / surviving)
    return _drawn(count, samples.percentile, 100 * samples.share_ended)


def _drawn(count: int, percentile: Callable[[float], float], most: float = 100.0) -> Curve:
    deepest = min(support.deepest_percentile(count), most)
    decades = -np.log10(1 - deepest / 100)
    steps = np.arange(int(decades * _STEPS_A_DECADE) + 1) / _STEPS_A_DECADE
    inner = [round(float(p), 6) for p in 100 * (1 - 10.0**-steps)]
    points = [*(p for p in inner if p > 0), *(p for p in percentiles.PERCENTILES if p <= deepest)]
    levels = sorted({0.0, most, *(point for point in points if point <= most)})
    values = [percentile(level) / 1e6 for level in levels]
    return Curve(percentiles=levels, values=[float(f"{value:.5g}") for value in values])
