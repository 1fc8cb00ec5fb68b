"""Statements are judged as ranks are made: by the interval of a ratio; counts need two trials."""

from __future__ import annotations

import math

import pytest
from report_build import metric

from wirelab.report.judging import (
    LESS,
    MORE,
    SAME,
    RatioBand,
    Standing,
    between,
    compared,
    exact_count,
    judge,
    limited,
    so_many_times,
    whole,
)
from wirelab.stats.ratio import Ratio


@pytest.mark.parametrize(
    ("low", "high", "band", "expected"),
    [
        (0.5, 0.9, LESS, Standing.SUPPORTED),
        (0.0, 0.9, LESS, Standing.SUPPORTED),
        (1.1, 1.2, LESS, Standing.CONTRADICTED),
        (0.9, 1.2, LESS, Standing.OPEN),
        (0.97, 1.02, LESS, Standing.NO_DIFFERENCE),
        (1.01, math.inf, MORE, Standing.SUPPORTED),
        (0.97, 1.02, SAME, Standing.SUPPORTED),
        (0.9, 1.2, SAME, Standing.OPEN),
        (1.06, 1.2, SAME, Standing.CONTRADICTED),
        (4.7, 4.9, so_many_times(4.8), Standing.SUPPORTED),
        (4.0, 5.5, so_many_times(4.8), Standing.OPEN),
        (2.0, 3.0, so_many_times(4.8), Standing.DIRECTION),
        (0.97, 1.02, so_many_times(4.8), Standing.CONTRADICTED),
        (0.2, 0.3, so_many_times(4.8), Standing.CONTRADICTED),
        (0.8, 0.9, so_many_times(0.5), Standing.DIRECTION),
        (5.0, 7.0, between(4, 8), Standing.SUPPORTED),
        (1.5, 2.5, between(4, 8), Standing.DIRECTION),
        (3.0, 5.0, between(4, 8), Standing.OPEN),
    ],
)
def test_the_whole_interval_decides(
    low: float, high: float, band: RatioBand, expected: Standing
) -> None:
    assert judge(Ratio(math.sqrt(low * min(high, 9.0)), low, high), band) is expected


def test_without_an_interval_nothing_is_decided() -> None:
    assert judge(None, LESS) is Standing.OPEN
    once = metric(988.0, per_trial=[988.0]), metric(1076.0, per_trial=[1076.0])
    assert [compared(*once, band) for band in (LESS, MORE, SAME)] == [Standing.OPEN] * 3


def test_zero_has_no_ratio_and_yet_is_less() -> None:
    none, some = metric(0.0, per_trial=[0.0, 0.0]), metric(3.0, per_trial=[2.0, 4.0])
    assert compared(none, some, LESS) is Standing.SUPPORTED
    assert compared(some, none, MORE) is Standing.SUPPORTED
    assert compared(none, some, MORE) is Standing.CONTRADICTED
    assert compared(none, none, LESS) is Standing.NO_DIFFERENCE
    assert compared(none, none, SAME) is Standing.SUPPORTED
    assert compared(none, metric(3.0, per_trial=[3.0]), LESS) is Standing.OPEN


def test_an_exact_count_needs_two_trials() -> None:
    none, once = metric(0.0, per_trial=[0.0, 0.0]), metric(0.0, per_trial=[0.0])
    lost = metric(2.0, per_trial=[0.0, 2.0])
    assert exact_count(none, none=True) is Standing.SUPPORTED
    assert exact_count(none, none=False) is Standing.CONTRADICTED
    assert exact_count(lost, none=True) is Standing.CONTRADICTED
    assert exact_count(once, none=True) is Standing.OPEN
    assert exact_count(metric(5.0, per_trial=[5.0]), none=True) is Standing.OPEN


def test_a_limit_is_kept_by_the_whole_interval_or_by_two_observations() -> None:
    assert limited(metric(4.0, interval=(3.0, 4.9)), 5.0, below=True) is Standing.SUPPORTED
    assert limited(metric(4.0, interval=(3.0, 5.1)), 5.0, below=True) is Standing.OPEN
    assert limited(metric(4.0, interval=(3.0, 4.9)), 5.0, below=False) is Standing.CONTRADICTED
    assert limited(metric(4.0, per_trial=[3.0, 4.0]), 5.0, below=True) is Standing.SUPPORTED
    assert limited(metric(4.0, per_trial=[4.0]), 5.0, below=True) is Standing.OPEN


def test_a_whole_is_as_good_as_its_worst_part() -> None:
    assert whole([]) is Standing.OPEN
    assert whole([Standing.SUPPORTED, Standing.SUPPORTED]) is Standing.SUPPORTED
    assert whole([Standing.SUPPORTED, Standing.DIRECTION]) is Standing.DIRECTION
    assert whole([Standing.DIRECTION, Standing.OPEN]) is Standing.OPEN
    assert whole([Standing.OPEN, Standing.CONTRADICTED]) is Standing.CONTRADICTED
