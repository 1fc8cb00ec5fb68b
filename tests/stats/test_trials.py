"""Intervals from one value a trial."""

from __future__ import annotations

import numpy as np
import pytest

from wirelab.stats.trials import bounding, trials_interval, variation, variation_interval


def test_variation_is_the_sample_standard_deviation_over_the_mean() -> None:
    assert variation([1.0, 2.0, 3.0]) == pytest.approx(0.5)
    assert variation([2.0]) is None
    assert variation([]) is None


def test_the_interval_of_the_mean_of_trials_holds_it() -> None:
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(2000):
        values = list(np.exp(rng.normal(0, 0.1, 4)))
        low, high = trials_interval(float(np.exp(np.mean(np.log(values)))), values) or (0, 0)
        hits += low <= 1 <= high
    assert 0.93 < hits / 2000 < 0.97


def test_positive_figures_never_have_a_negative_bound() -> None:
    low, high = trials_interval(5.0, [1.0, 9.0]) or (0, 0)
    assert 0 < low < 5 < high


def test_figures_that_may_be_zero_have_a_plain_interval() -> None:
    low, high = trials_interval(0.0, [-1.0, 1.0]) or (0, 0)
    assert low == pytest.approx(-high)


def test_signed_figures_may_have_bounds_on_either_side_of_zero() -> None:
    low, high = trials_interval(0.006, [0.004, 0.008], signed=True) or (0, 0)
    assert low < 0 < high


def test_one_trial_has_no_interval() -> None:
    assert trials_interval(5.0, [5.0]) is None


@pytest.mark.parametrize("trials", [2, 5, 10])
def test_the_interval_of_a_variation_holds_it(trials: int) -> None:
    rng = np.random.default_rng(trials)
    hits = 0
    for _ in range(2000):
        cv = variation(list(rng.normal(1, 0.02, trials))) or 0.0
        low, high = variation_interval(cv, trials)
        hits += low <= 0.02 <= high
    assert 0.93 < hits / 2000 < 0.97


def test_an_interval_over_orders_of_magnitude_bounds_nothing() -> None:
    assert bounding(5.0, trials_interval(5.0, [0.2, 10.0])) is None
    assert bounding(5.0, (0.5, 40.0)) == (0.5, 40.0)
    assert bounding(0.0, (-1.0, 1.0)) == (-1.0, 1.0)
    assert bounding(5.0, None) is None
