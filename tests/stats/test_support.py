"""Samples that a percentile needs."""

from __future__ import annotations

import numpy as np
import pytest

from wirelab.stats.support import deepest_percentile, needed_samples


@pytest.mark.parametrize(
    ("percentile", "needed"), [(50, 11), (90, 64), (95, 130), (99, 662), (99.9, 6636)]
)
def test_the_table_of_early_stopping(percentile: float, needed: int) -> None:
    assert needed_samples(percentile) == needed


def test_it_is_the_size_at_which_less_than_two_beyond_are_a_one_percent_accident() -> None:
    rng = np.random.default_rng(1)
    for percentile in (95, 99):
        beyond = rng.binomial(needed_samples(percentile), 1 - percentile / 100, 200_000)
        assert 0.008 < np.mean(beyond < 2) < 0.0105


@pytest.mark.parametrize("percentile", [0, 100, 120, -1])
def test_what_is_no_percentile_of_a_tail_is_refused(percentile: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 100"):
        needed_samples(percentile)


def test_the_deepest_percentile_is_the_inverse() -> None:
    for percentile in (50, 95, 99, 99.9):
        enough = needed_samples(percentile)
        assert deepest_percentile(enough) >= percentile
        assert deepest_percentile(enough - 1) < percentile
    assert deepest_percentile(1) == pytest.approx(0, abs=1e-6)
