"""Effective sample sizes, against series whose autocorrelation is known."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.signal import lfilter

from wirelab.stats.autocorrelation import effective_size


def ar1(phi: float, count: int, seed: int) -> npt.NDArray[np.float64]:
    """A stationary AR(1) series of unit variance."""
    noise = np.random.default_rng(seed).normal(size=count + 1000) * np.sqrt(1 - phi**2)
    series: npt.NDArray[np.float64] = lfilter([1], [1, -phi], noise)[1000:]
    return series


@pytest.mark.parametrize("count", [3_000, 12_000, 200_000])
@pytest.mark.parametrize("phi", [0.0, 0.5, 0.9])
def test_an_ar1_series_is_worth_what_theory_says(phi: float, count: int) -> None:
    sizes = [effective_size(ar1(phi, count, seed)) for seed in range(20)]
    expected = count * (1 - phi) / (1 + phi)
    assert np.mean(sizes) == pytest.approx(expected, rel=0.12)


def test_the_size_predicts_how_much_a_percentile_moves() -> None:
    level, count = 1.2816, 4_000  # the 90th percentile of the standard normal
    shares, sizes = [], []
    for seed in range(400):
        below = ar1(0.8, count, seed) <= level
        shares.append(below.mean())
        sizes.append(effective_size(below))
    worth = 0.9 * 0.1 / np.var(shares)
    assert np.median(sizes) == pytest.approx(worth, rel=0.2)


def test_on_a_ramp_the_size_predicts_how_much_a_share_moves() -> None:
    count, parts = 4_000, 10
    load = np.linspace(0, 10, count)
    strata = np.arange(count) * parts // count
    shares, stratified, plain = [], [], []
    for seed in range(400):
        below = load + 2 * ar1(0.8, count, seed) <= 8
        shares.append(below.mean())
        stratified.append(effective_size(below, strata))
        plain.append(effective_size(below))
    share = np.mean(shares)
    worth = share * (1 - share) / np.var(shares)
    assert np.median(stratified) == pytest.approx(worth, rel=0.3)
    assert np.median(plain) < worth / 10


def test_a_cluster_within_a_stratum_is_still_found_out() -> None:
    strata = np.repeat(np.arange(4), 1_000)
    clusters = np.repeat(np.random.default_rng(3).normal(size=80), 50)
    assert effective_size(clusters, strata) < 200


def test_a_series_that_follows_its_strata_alone_counts_in_full() -> None:
    strata = np.repeat(np.arange(4), 100)
    assert effective_size(strata.astype(np.float64), strata) == 400


def test_a_series_slower_than_its_batches_is_still_found_out() -> None:
    # One level a tenth of the series: ten independent values, whatever the number of samples.
    levels = np.repeat(np.random.default_rng(3).normal(size=10), 50_000)
    assert effective_size(levels) < 50


def test_alternation_is_never_worth_more_than_its_length() -> None:
    assert effective_size(np.arange(1000) % 2) == 1000


def test_a_constant_series_counts_in_full() -> None:
    assert effective_size(np.ones(500, dtype=bool)) == 500


@given(st.lists(st.integers(0, 10**9), max_size=300))
def test_it_lies_between_nothing_and_the_number_of_samples(samples: list[int]) -> None:
    size = effective_size(np.array(samples, dtype=np.int64))
    assert 0 <= size <= len(samples)
    assert size > 0 or not samples


@given(st.lists(st.booleans(), min_size=4, max_size=300))
def test_an_indicator_and_its_complement_are_worth_the_same(indicator: list[bool]) -> None:
    series = np.array(indicator)
    assert effective_size(series) == pytest.approx(effective_size(~series))
