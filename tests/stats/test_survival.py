"""Percentiles of durations of which some were cut off."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirelab.stats.percentiles import PERCENTILES, percentile
from wirelab.stats.survival import Distribution, Percentile


def distribution(durations: list[int], ended: list[bool]) -> Distribution:
    return Distribution.of(np.array(durations, np.int64), np.array(ended))


def of(durations: list[int], ended: list[bool], level: float) -> Percentile:
    return distribution(durations, ended).percentile(level)


def test_a_textbook_sample() -> None:
    # Survival: 6/7 at 3; at 5: 6/7 * 4/5 = 24/35; at 8: * 2/3 = 48/105; nothing at 9 and above.
    durations = [3, 4, 5, 6, 8, 9, 9]
    ended = [True, False, True, False, True, False, False]
    assert of(durations, ended, 10) == Percentile(3, True, 7, 7.0)
    fifty = of(durations, ended, 50)
    assert (fifty.value, fifty.reached, fifty.at_risk) == (8, True, 3)
    assert fifty.support == pytest.approx(3 / (24 / 35))
    ninety = of(durations, ended, 90)
    assert (ninety.value, ninety.reached, ninety.at_risk) == (9, False, 2)


def test_who_is_cut_off_where_another_ends_was_at_risk_there() -> None:
    # Both of 5 count among the two at risk: survival 1/2 there, not 0.
    assert of([5, 5], [True, False], 50) == Percentile(5, True, 2, 2.0)
    assert of([5, 5], [True, False], 51) == Percentile(5, False, 2, 2.0)


def test_when_all_were_cut_off_the_longest_is_a_bound() -> None:
    assert of([2, 7], [False, False], 50) == Percentile(7, False, 1, 1.0)


def test_no_durations_no_percentile() -> None:
    with pytest.raises(IndexError):
        of([], [], 50)


@pytest.mark.parametrize("count", [1000, 100_000])
def test_a_rank_is_kept_however_many_factors_come_before_it(count: int) -> None:
    # One long duration is cut off beyond all: the estimate is a product, its ranks the plain ones.
    durations = np.arange(1, count + 1)
    ended = np.append(np.ones(count - 1, dtype=bool), False)
    for level in (50.0, 99.0, 99.9):
        found = Distribution.of(durations, ended).percentile(level)
        assert found.value == percentile(durations, level)
        assert found.support == pytest.approx(count)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=60))
def test_without_cut_ones_it_is_the_plain_percentile(values: list[int]) -> None:
    durations = np.array(values, np.int64)
    # Not by ``of``, which drops flags that say nothing, and the estimate with them.
    every = Distribution(np.sort(durations), np.ones(len(values), dtype=bool))
    found = [every.percentile(level) for level in PERCENTILES]
    plain = [int(percentile(np.sort(durations), level)) for level in PERCENTILES]
    assert [one.value for one in found] == plain
    assert [one.support for one in found] == pytest.approx([len(values)] * len(found))


@given(st.lists(st.tuples(st.integers(0, 30), st.booleans()), min_size=1, max_size=40))
def test_it_is_the_product_of_what_survives_each_time(values: list[tuple[int, bool]]) -> None:
    durations = np.array([value for value, _ in values], np.int64)
    ended = np.array([end for _, end in values])
    found = Distribution.of(durations, ended).percentile(75.0)
    surviving, reached = 1.0, None
    for time in sorted(set(durations[ended].tolist())):
        at_risk = int(np.count_nonzero(durations >= time))
        surviving *= 1 - int(np.count_nonzero(ended & (durations == time))) / at_risk
        if surviving <= 0.25 + 1e-9:
            reached = time
            break
    assert found.reached == (reached is not None)
    assert found.value == (reached if reached is not None else durations.max())
    assert found.support <= len(values) + 1e-9


def test_independent_cuts_leave_the_tail_where_it_is() -> None:
    random = np.random.default_rng(3)
    true = random.exponential(1e6, 200_000).astype(np.int64)
    cut = random.exponential(2e6, 200_000).astype(np.int64)
    measured = Distribution.of(np.minimum(true, cut), true <= cut)
    found = [measured.percentile(level) for level in (50.0, 99.0)]
    assert found[0].value == pytest.approx(np.log(2) * 1e6, rel=0.02)
    assert found[1].value == pytest.approx(np.log(100) * 1e6, rel=0.03)
    assert found[1].support < 0.3 * 200_000


def test_the_mean_is_the_area_below_the_estimate() -> None:
    # Survival: 1 up to 2, 3/4 up to 4, 3/8 up to 6 (one of 3 was cut off), nothing beyond.
    found = distribution([2, 3, 4, 6], [True, False, True, True])
    assert found.mean == pytest.approx(2 + 2 * 3 / 4 + 2 * 3 / 8)
    assert found.share_ended == 1


def test_a_mean_whose_longest_was_cut_off_is_at_least_so_much() -> None:
    found = distribution([2, 4, 6], [True, True, False])
    assert found.mean == pytest.approx(2 + 2 * 2 / 3 + 2 / 3)
    assert found.share_ended == pytest.approx(2 / 3)


def test_the_longest_duration_with_enough_support() -> None:
    found = distribution([1, 2, 3, 4, 5, 6], [True, False, False, False, False, False])
    # 5 are at risk at 2, and 5/6 were left: as 6 would have been; at 5 it is 2 of 5/6.
    assert found.support(2) == pytest.approx(6)
    assert found.longest_supported(2.3) == 5
    assert found.longest_supported(2.5) == 4
    assert found.longest_supported(7) is None


def test_the_pool_of_several_is_that_of_all_durations() -> None:
    one, other = distribution([5, 1], [False, True]), distribution([2, 9], [True, True])
    pooled = Distribution.pooled([one, other])
    assert pooled.ordered.tolist() == [1, 2, 5, 9]
    assert pooled.flags().tolist() == [True, True, False, True]
    assert Distribution.pooled([other, other]).ended is None
