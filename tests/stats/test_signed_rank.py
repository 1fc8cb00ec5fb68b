"""The centre of paired differences and its interval."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from wirelab.stats.signed_rank import interval_rank, location

Drawn = np.ndarray[tuple[int, int], np.dtype[np.float64]]


def test_six_blocks_have_their_smallest_and_largest_as_ends() -> None:
    found = location([0.1, 0.5, 0.2, 0.4, 0.3, 0.9])
    assert found is not None
    assert (found.low, found.high) == (0.1, 0.9)
    # Of the 21 means the eleventh: 0.1 … 0.9 by hand.
    assert found.value == pytest.approx(0.35)


def test_below_six_it_is_the_mean_and_students_t() -> None:
    found = location([1.0, 2.0, 3.0])
    assert found is not None
    assert found.value == 2.0
    assert found.reach == pytest.approx(4.302653 / 3**0.5)


@pytest.mark.parametrize("few", [[], [0.4]])
def test_one_block_has_no_interval(few: list[float]) -> None:
    assert location(few) is None


def test_the_ranks_are_those_of_the_tables() -> None:
    # Critical values of the signed rank at 5 %, two-sided (Wilcoxon 1945), plus one.
    ranks = [interval_rank(count, 0.95) for count in range(5, 21)]
    assert ranks == [None, 1, 3, 4, 6, 9, 11, 14, 18, 22, 26, 30, 35, 41, 47, 53]


def test_the_ranks_are_those_of_all_arrangements_of_signs() -> None:
    sums = [sum(r for r, s in enumerate(signs, 1) if s) for signs in product((0, 1), repeat=9)]
    rank = interval_rank(9, 0.95)
    assert rank is not None
    assert np.mean(np.array(sums) < rank) <= 0.025 < np.mean(np.array(sums) < rank + 1)


@given(st.lists(st.floats(-1, 1), min_size=6, max_size=15, unique=True), st.floats(-0.5, 0.5))
def test_the_interval_holds_what_the_test_does_not_refuse(
    values: list[float], truth: float
) -> None:
    found = location(values)
    assert found is not None
    moved = np.array(values) - truth
    sizes = np.abs(moved)
    if (
        len(np.unique(sizes)) < len(sizes)
        or sizes.min() < 1e-9
        or np.diff(np.sort(sizes)).min() < (1e-9)
    ):
        truth = found.value  # ties have no exact test; its own centre is always within
        assert found.low <= truth <= found.high
        return
    chance = float(stats.wilcoxon(moved, method="exact").pvalue)
    assert (found.low <= truth <= found.high) == (chance > 0.05)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=15))
def test_the_other_way_round_it_is_the_same(values: list[float]) -> None:
    forth, back = location(values), location([-value for value in values])
    assert forth is not None
    assert back is not None
    assert (forth.low, forth.value) == pytest.approx((-back.high, -back.value), abs=1e-12)


def coverage(blocks: Drawn, truth: float) -> float:
    held = 0
    for row in blocks:
        found = location(row)
        assert found is not None
        held += found.low <= truth <= found.high
    return held / len(blocks)


@pytest.mark.parametrize("blocks", [2, 3, 5, 6, 8, 12, 30])
@pytest.mark.parametrize("shape", ["normal", "Laplace", "t of 3"])
def test_it_holds_the_truth_and_claims_few_differences(blocks: int, shape: str) -> None:
    random = np.random.default_rng([blocks, len(shape)])
    size = (1500, blocks)
    drawn = {
        "normal": random.normal(0, 1, size),
        "Laplace": random.laplace(0, 1, size),
        "t of 3": random.standard_t(3, size),
    }[shape]
    # The complement is the share of false claims: at most 6 %, beside an error of 0.6 % here.
    assert coverage(drawn, 0.0) >= 0.93


def test_it_holds_the_ratio_of_percentiles_of_trials_that_hang_together() -> None:
    """Two contenders in the same eight hours, each trial 400 durations with a heavy tail that
    remember the one before (AR(1) of 0.8); p95 of the second is 1.2 times that of the first."""
    random = np.random.default_rng(11)
    runs, blocks, count, memory = 600, 8, 400, 0.8
    innovations = random.normal(0, (1 - memory**2) ** 0.5, (runs, blocks, 2, count))
    series = np.empty_like(innovations)
    series[..., 0] = random.normal(0, 1, (runs, blocks, 2))
    for at in range(1, count):
        series[..., at] = memory * series[..., at - 1] + innovations[..., at]
    times = (1 - stats.norm.cdf(series)) ** (-1 / 2.5)
    hours = np.exp(random.normal(0, 0.2, (runs, blocks, 1)))
    placed = np.exp(random.normal(0, 0.02, (runs, blocks, 2)))
    p95 = np.quantile(times, 0.95, axis=3, method="inverted_cdf") * hours * placed
    assert coverage(np.log(1.2 * p95[:, :, 1] / p95[:, :, 0]), float(np.log(1.2))) >= 0.93
