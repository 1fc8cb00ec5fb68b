"""Percentiles: exact, by one definition."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirelab.stats.percentiles import PERCENTILES, label, percentile, pooled, rank

SAMPLES = st.lists(st.integers(0, 10**12), min_size=1, max_size=200)
LEVELS = st.floats(0, 100).map(lambda p: round(p, 3))


@pytest.mark.parametrize("p", PERCENTILES)
@pytest.mark.parametrize("count", [1, 2, 19, 20, 100, 999, 1001, 12_345])
def test_it_is_numpys_inverted_cdf(p: float, count: int) -> None:
    samples = np.sort(np.random.default_rng(count).integers(0, 10**9, count))
    assert percentile(samples, p) == np.percentile(samples, p, method="inverted_cdf")


@given(SAMPLES, LEVELS)
def test_at_least_p_percent_do_not_exceed_it_and_nothing_smaller_does(
    samples: list[int], p: float
) -> None:
    ordered = np.sort(np.array(samples))
    value = percentile(ordered, p)
    assert value in samples
    share = Fraction(round(p * 1000), 100_000)
    assert Fraction(int(np.sum(ordered <= value)), len(samples)) >= share
    smaller = ordered[ordered < value]
    assert not len(smaller) or Fraction(len(smaller), len(samples)) < share


@given(SAMPLES)
def test_percentiles_rise(samples: list[int]) -> None:
    ordered = np.sort(np.array(samples))
    values = [int(percentile(ordered, p)) for p in (0, 50, 95, 99, 99.9, 100)]
    assert values == sorted(values)
    assert (values[0], values[-1]) == (min(samples), max(samples))


@given(st.lists(SAMPLES, min_size=1, max_size=5))
def test_pooling_is_concatenation(trials: list[list[int]]) -> None:
    together = pooled([np.array(trial) for trial in trials])
    assert together.tolist() == sorted(sample for trial in trials for sample in trial)


def test_ranks_are_exact_where_floating_point_is_not() -> None:
    # numpy's inverted_cdf takes the 1000th of 1000: 0.999 * 1000 is a little more than 999.
    assert rank(99.9, 1000) == 999
    assert rank(99.9, 1001) == 1000
    assert [rank(99.9, 1000 * n) for n in range(1, 5000)] == [999 * n for n in range(1, 5000)]


def test_labels_are_those_of_metric_names() -> None:
    assert [label(p) for p in PERCENTILES] == ["p50", "p90", "p95", "p99", "p99.9"]
