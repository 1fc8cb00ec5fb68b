"""Blocks and bins: nothing lost, nothing counted twice."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wirelab.stats.blocks import BLOCK_NS, TimedSamples, bin_blocks
from wirelab.stats.percentiles import pooled

TRIAL = st.lists(st.integers(1, 10**9), min_size=1, max_size=150)


def timed(values: list[int], blocks: int = 5) -> TimedSamples:
    """Values spread evenly over ``blocks`` seconds."""
    at = np.arange(len(values)) * (blocks * BLOCK_NS) // len(values)
    return TimedSamples.cut(np.array(values, dtype=np.int64), at, blocks)


@given(st.lists(TRIAL, min_size=1, max_size=4))
def test_bins_are_exact(values: list[list[int]]) -> None:
    trials = [timed(trial) for trial in values]
    ordered = pooled([trial.values for trial in trials])
    bins = bin_blocks(ordered, trials)
    below = np.cumsum(bins.counts.sum(axis=0))
    assert below.tolist() == [int(np.sum(ordered <= high)) for high in bins.highs]
    for row, (begin, end) in enumerate(zip(trials[0].bounds, trials[0].bounds[1:], strict=False)):
        assert bins.counts[row].sum() == end - begin


@given(TRIAL)
def test_bins_touch_samples_and_do_not_overlap(values: list[int]) -> None:
    trial = timed(values)
    bins = bin_blocks(np.sort(trial.values), [trial])
    assert set(bins.lows) <= set(values)
    assert set(bins.highs) <= set(values)
    assert np.all(bins.lows <= bins.highs)
    assert np.all(bins.highs[:-1] < bins.lows[1:])
    assert bins.counts.sum(axis=0).min() > 0


def test_few_distinct_values_have_a_bin_each() -> None:
    trial = timed([5, 3, 3, 8] * 20)
    bins = bin_blocks(np.sort(trial.values), [trial])
    assert bins.lows.tolist() == bins.highs.tolist() == [3, 5, 8]


def test_the_tail_is_binned_more_finely_than_the_middle() -> None:
    ordered = np.arange(1, 1_000_001)
    bins = bin_blocks(ordered, [timed([1])])
    per_bin = np.diff(np.searchsorted(ordered, bins.highs))
    at = np.searchsorted(bins.highs, [500_000, 999_500])
    assert per_bin[at[0]] > 100 * per_bin[at[1]]


def test_samples_fall_into_the_second_they_were_due_in() -> None:
    at = np.array([0, BLOCK_NS - 1, BLOCK_NS, 3 * BLOCK_NS])
    trial = TimedSamples.cut(np.arange(4), at, 4)
    assert trial.bounds.tolist() == [0, 2, 3, 3, 4]
