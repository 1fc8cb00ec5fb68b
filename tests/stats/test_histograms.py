"""Durations in buckets say what the durations themselves say, to the resolution."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirelab.stats.histograms import (
    HistogramSamples,
    bin_histograms,
    merged,
    on_common_buckets,
    quiet_blocks,
)
from wirelab.stats.survival import Distribution

BLOCKS = st.lists(st.lists(st.integers(1, 50), max_size=30), min_size=1, max_size=6)


def counted(blocks: list[list[int]]) -> HistogramSamples:
    """Buckets of width one, so that nothing is rounded."""
    values = np.unique(np.array([v for block in blocks for v in block], dtype=np.int64))
    counts = np.zeros((len(blocks), len(values)), dtype=np.int64)
    for row, block in enumerate(blocks):
        for value in block:
            counts[row, np.searchsorted(values, value)] += 1
    return HistogramSamples(values, values, counts)


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
    bins = bin_histograms(spread)
    assert bins.counts.sum() == sum(len(one) for one in samples)


def test_blocks_are_merged() -> None:
    found = merged(counted([[1], [2, 2], [3], []]), 2)
    assert found.counts.sum(axis=1).tolist() == [3, 1]
    assert found.cut is None


def test_what_was_cut_off_stays_so_where_blocks_are_merged() -> None:
    both = counted([[1, 9], [2, 9], [3], [4]])
    quiet = quiet_blocks(both, np.ones(4, dtype=bool), np.array([5, 5, 9, 9]))
    found = merged(quiet, 2)
    assert found.cut is not None
    assert found.cut.sum(axis=1).tolist() == [2, 0]


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


@given(BLOCKS, st.lists(st.integers(1, 60), min_size=6, max_size=6), st.sampled_from([50.0, 95.0]))
def test_durations_that_were_cut_off_have_the_percentiles_of_the_product_limit_estimate(
    blocks: list[list[int]], until: list[int], level: float
) -> None:
    """A duration cut off after its last whole bucket is at risk until there."""
    samples = counted(blocks)
    chosen = np.ones(samples.blocks, dtype=bool)
    found = quiet_blocks(samples, chosen, np.array(until[: len(blocks)]))
    durations, ended = [], []
    for block, end in zip(blocks, until, strict=False):
        known = [int(value) for value in samples.highs if value <= end]
        for value in block:
            if value <= end:
                durations.append(value)
                ended.append(True)
            elif known:
                durations.append(max(known))
                ended.append(False)
    assert len(found) == len(durations)
    if not durations:
        return
    expected = Distribution.of(np.array(durations), np.array(ended))
    at = expected.percentile(level)
    bucket, reached = found.bucket(level)
    assert reached == at.reached
    assert found.percentile(level) == found.highs[bucket]
    if reached:
        assert found.highs[bucket] == at.value
        assert found.at_risk(bucket) == at.at_risk
        assert found.at_risk(bucket) / found.surviving_until(bucket) == pytest.approx(at.support)
        assert found.worth(bucket) > 0
    assert found.mean() == pytest.approx(_mean(expected, found), rel=1e-9)
    assert found.share_ended == pytest.approx(_share_ended(durations, ended))


def _mean(expected: Distribution, found: HistogramSamples) -> float:
    """The mean, with what was not seen to end at the end of the last bucket, in use or not."""
    beyond = 1 - found.share_ended
    return expected.mean + beyond * float(found.highs[-1] - expected.ordered[-1])


def _share_ended(durations: list[int], ended: list[bool]) -> float:
    surviving = 1.0
    for value in sorted(set(durations)):
        at_risk = sum(one >= value for one in durations)
        over = sum(e for one, e in zip(durations, ended, strict=True) if one == value)
        surviving *= 1 - over / at_risk
    return 1 - surviving


def test_blocks_that_are_not_quiet_are_left_out() -> None:
    chosen = np.array([True, False, True])
    found = quiet_blocks(counted([[1, 9], [9, 9, 9], [2, 3]]), chosen, np.array([4, 99, 99]))
    assert found.counts.sum(axis=1).tolist() == [2, 2]
    assert found.cut is not None
    assert found.cut.sum(axis=1).tolist() == [1, 0]
    assert found.percentile(100) == 9  # nothing is known of it but that it is longer than 3
    assert not found.bucket(100)[1]
    assert found.bucket(50)[1]
