"""The stopping of a run that adds blocks, and what a difference costs."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
import pytest

from wirelab.stats.signed_rank import Location, location
from wirelab.stats.stopping import CONFIDENCE, LOOKS, blocks_needed, next_look, reach_of


def stopped_at(logarithms: Sequence[float], width: float) -> tuple[int, Location] | None:
    """The look at which a run of one ratio stops, and its interval; None while it goes on."""
    for blocks in (look for look in LOOKS if look <= len(logarithms)):
        found = location(logarithms[:blocks], CONFIDENCE)
        if found is not None and reach_of(found) <= width:
            return blocks, found
    return None


def test_it_stops_at_a_look_and_not_between() -> None:
    steady = [0.2, 0.21] * 25
    assert stopped_at(steady[:7], 0.05) is None
    found = stopped_at(steady[:9], 0.05)
    assert found is not None
    assert found[0] == 8
    assert found[1].reach <= log(1.05)


def test_that_one_is_excluded_does_not_stop_it() -> None:
    random = np.random.default_rng(2)
    far = random.normal(5.0, 0.3, 50).tolist()
    assert stopped_at(far[:15], 0.01) is None
    assert stopped_at(far, 0.01) is None


@pytest.mark.parametrize(("blocks", "look"), [(0, 8), (8, 10), (49, 50), (50, None)])
def test_the_next_look(blocks: int, look: int | None) -> None:
    assert next_look(blocks) == look


@pytest.mark.parametrize("scatter", [0.03, 0.05, 0.08, 0.15])
def test_few_runs_without_a_difference_claim_one(scatter: float) -> None:
    random = np.random.default_rng(round(scatter * 100))
    claims = 0
    for row in random.normal(0, scatter, (1000, LOOKS[-1])):
        found = stopped_at(row, 0.05)
        seen = found[1] if found is not None else location(row, 0.96)
        assert seen is not None
        claims += seen.low > 0 or seen.high < 0
    assert claims / 1000 <= 0.065


@pytest.mark.parametrize(
    ("scatter", "simulated"), [(0.03, 7), (0.05, 13), (0.08, 31), (0.10, 48), (0.15, 103)]
)
def test_a_difference_of_5_percent_costs_as_many_blocks_as_simulated(
    scatter: float, simulated: int
) -> None:
    assert simulated <= blocks_needed(0.05, scatter) <= 1.04 * simulated + 1


@pytest.mark.parametrize("scatter", [0.03, 0.08])
def test_so_many_blocks_find_it_in_nine_of_ten_runs(scatter: float) -> None:
    random = np.random.default_rng(7)
    rows = random.normal(log(1.05), scatter, (1000, blocks_needed(0.05, scatter)))
    found = [one.low > 0 for row in rows if (one := location(row)) is not None]
    assert len(found) == 1000
    assert 0.87 < np.mean(found) < 0.96


def test_smaller_differences_and_larger_scatter_cost_more() -> None:
    assert blocks_needed(0.02, 0.05) > blocks_needed(0.05, 0.05) > blocks_needed(0.1, 0.05)
    assert blocks_needed(0.5, 0.01) == 6


@pytest.mark.parametrize(("difference", "scatter"), [(0.0, 0.1), (0.05, 0.0), (-0.1, 0.1)])
def test_nothing_has_no_cost(difference: float, scatter: float) -> None:
    with pytest.raises(ValueError, match="expected a difference"):
        blocks_needed(difference, scatter)
