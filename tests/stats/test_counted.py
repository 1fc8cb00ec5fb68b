"""Durations in buckets say what the durations themselves say, to the resolution."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirelab.stats.counted import CountedSamples, bin_counted, merged, on_common_buckets

BLOCKS = st.lists(st.lists(st.integers(1, 50), max_size=30), min_size=1, max_size=6)


def counted(blocks: list[list[int]]) -> CountedSamples:
    """Buckets of width one, so that nothing is rounded."""
    values = np.unique(np.array([v for block in blocks for v in block], dtype=np.int64))
    counts = np.zeros((len(blocks), len(values)), dtype=np.int64)
    for row, block in enumerate(blocks):
        for value in block:
            counts[row, np.searchsorted(values, value)] += 1
    return CountedSamples(values, values, counts)


@given(BLOCKS, st.sampled_from([1.0, 50.0, 95.0, 99.9, 100.0]))
def test_percentiles_are_those_of_the_durations(blocks: list[list[int]], level: float) -> None:
    flat = np.sort([value for block in blocks for value in block])
    found = counted(blocks)
    assert len(found) == len(flat)
    if not len(flat):
        with pytest.raises(ValueError, match="no durations"):
            found.percentile(level)
        return
    assert found.percentile(level) == np.percentile(flat, level, method="inverted_cdf")
    assert found.mean() == pytest.approx(flat.mean())


@given(st.lists(BLOCKS, min_size=1, max_size=3))
def test_common_buckets_keep_every_duration(trials: list[list[list[int]]]) -> None:
    samples = [counted(blocks) for blocks in trials]
    spread = on_common_buckets(samples)
    assert [len(one) for one in spread] == [len(one) for one in samples]
    assert {tuple(one.lows) for one in spread} == {tuple(spread[0].lows)}
    bins = bin_counted(spread)
    assert bins.counts.sum() == sum(len(one) for one in samples)


def test_blocks_are_merged() -> None:
    found = merged(counted([[1], [2, 2], [3], []]), 2)
    assert found.counts.sum(axis=1).tolist() == [3, 1]


def test_what_hangs_together_within_a_second_counts_for_less() -> None:
    rng = np.random.default_rng(1)
    alone = [list(rng.integers(1, 50, 100)) for _ in range(40)]
    together = [[int(rng.integers(1, 50))] * 100 for _ in range(40)]
    free, bound = counted(alone), counted(together)
    assert free.effective_size(free.highs <= free.percentile(50)) > 2000
    assert bound.effective_size(bound.highs <= bound.percentile(50)) == pytest.approx(40, rel=0.1)


def test_one_second_is_one_observation() -> None:
    one = counted([[1, 2, 3, 4] * 10])
    assert one.effective_size(one.highs <= 2) == 1
