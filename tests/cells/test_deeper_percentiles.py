"""No percentile is printed beyond one that its samples do not support."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt
import pytest

from wirelab.cells.by_block import NO_GROUPS
from wirelab.cells.duration_figures import DurationFigures
from wirelab.cells.estimate import Estimate
from wirelab.cells.histogram_figures import HistogramFigures
from wirelab.stats import autocorrelation, support
from wirelab.stats.blocks import BLOCK_NS, TimedSamples
from wirelab.stats.bootstrap import Resampling
from wirelab.stats.histograms import HistogramSamples

MS = 1_000_000
SECONDS, EACH = 40, 100


def durations(stretch_ms: float) -> npt.NDArray[np.int64]:
    """From 1 to 2 ms each; 3 s together are from ``stretch_ms`` on, and 15 in 1,000, each by
    itself, from 100 ms on."""
    random = np.random.default_rng(5)
    values = random.uniform(1, 2, SECONDS * EACH)
    values[2_000 : 2_000 + 3 * EACH] = random.uniform(stretch_ms, 2 * stretch_ms, 3 * EACH)
    peaks = random.random(SECONDS * EACH) < 0.015
    values[peaks] = random.uniform(100, 200, int(peaks.sum()))
    return np.ceil(values * 10).astype(np.int64) * (MS // 10)


def timed(values: npt.NDArray[np.int64]) -> Mapping[str, Estimate]:
    at_ns = np.arange(len(values)) * (BLOCK_NS // EACH)
    trial = TimedSamples.cut(values, at_ns, SECONDS)
    return DurationFigures([trial], Resampling([SECONDS], 1), NO_GROUPS).estimates("read")


def counted(values: npt.NDArray[np.int64]) -> Mapping[str, Estimate]:
    highs, buckets = np.unique(values, return_inverse=True)
    counts = np.zeros((SECONDS, len(highs)), dtype=np.int64)
    np.add.at(counts, (np.arange(len(values)) // EACH, buckets), 1)
    trial = HistogramSamples(highs, highs, counts)
    return HistogramFigures([trial], Resampling([SECONDS], 1), NO_GROUPS).estimates("read")


@pytest.mark.parametrize("kept", [timed, counted])
def test_p99_is_not_printed_where_a_slow_stretch_leaves_too_few_for_p95(
    kept: Callable[[npt.NDArray[np.int64]], Mapping[str, Estimate]],
) -> None:
    values = durations(10)
    peaks = autocorrelation.effective_size(values <= np.percentile(values, 99))
    assert peaks >= support.needed_samples(99)
    figures = kept(values)
    assert figures["read.p95"].value is None
    assert figures["read.p99"].value is None
    assert figures["read.p99"].unsupported == figures["read.p95"].unsupported
    assert figures["read.p50"].value == pytest.approx(1.5, rel=0.1)


@pytest.mark.parametrize("kept", [timed, counted])
def test_both_are_printed_where_peaks_are_alone(
    kept: Callable[[npt.NDArray[np.int64]], Mapping[str, Estimate]],
) -> None:
    figures = kept(durations(1))
    assert figures["read.p95"].value == pytest.approx(2, rel=0.1)
    assert figures["read.p99"].value == pytest.approx(133, rel=0.2)
