"""Which contenders of a table differ."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from wirelab.stats.maxt import differing

Floats = npt.NDArray[np.float64]


def table(
    random: np.random.Generator, blocks: int, places: Floats, scatter: float | Floats
) -> Floats:
    """Logarithms of figures: the hour's own, the contender's, and what scatters."""
    hours = random.normal(0, 0.3, (blocks, 1))
    drawn: Floats = hours + places + random.normal(0, 1, (blocks, len(places))) * scatter
    return drawn


def falsely_told(blocks: int, places: list[float], scatter: float | Floats, runs: int) -> float:
    """Share of tables in which somebody is told apart from an equal one."""
    random = np.random.default_rng([blocks, len(places)])
    own = np.array(places)
    equal = np.equal.outer(own, own)
    tables = (differing(table(random, blocks, own, scatter)) & equal for _ in range(runs))
    return sum(bool(wrong.any()) for wrong in tables) / runs


def test_what_is_worse_in_every_block_is_told_apart_by_six() -> None:
    hours = np.array([0.0, 3.0, 1.0, -2.0, 5.0, 4.0])
    apart = np.array([0.1, 0.11, 0.09, 0.1, 0.12, 0.1])
    values = np.column_stack([hours, hours + apart])
    assert differing(values).tolist() == [[False, True], [True, False]]
    assert not differing(values[:5]).any()


def test_one_block_the_other_way_leaves_six_open() -> None:
    apart = np.array([0.1, 0.11, 0.09, 0.1, 0.12, -0.01])
    assert not differing(np.column_stack([np.zeros(6), apart])).any()


def test_what_is_equal_or_always_the_same_apart_is_judged_too() -> None:
    same = np.zeros((6, 1))
    assert not differing(np.hstack([same, same])).any()
    # Sizes, say: 10 and 12 bytes in every block.
    assert differing(np.hstack([same, same + np.log(1.2)]))[0, 1]


@pytest.mark.parametrize(("rows", "columns"), [(0, 2), (8, 1), (8, 0)])
def test_nobody_differs_where_there_is_nobody_to_differ_from(rows: int, columns: int) -> None:
    assert not differing(np.ones((rows, columns))).any()


def test_the_order_of_blocks_and_contenders_does_not_matter() -> None:
    random = np.random.default_rng(4)
    values = table(random, 8, np.array([0.0, 0.0, 0.2, 0.25]), 0.03)
    told = differing(values)
    assert told.any()
    assert np.array_equal(differing(values[::-1, ::-1]), told[::-1, ::-1])
    assert np.array_equal(differing(values + 7.0), told)


@pytest.mark.parametrize("blocks", [6, 8])
def test_of_nine_equal_contenders_hardly_a_table_tells_any_apart(blocks: int) -> None:
    assert falsely_told(blocks, [0.0] * 9, 0.05, 1500) <= 0.06


def test_with_many_blocks_arrangements_are_drawn() -> None:
    assert falsely_told(15, [0.0] * 9, 0.05, 200) <= 0.08


@pytest.mark.parametrize("places", [[2.0, *[0.0] * 8], [0.0] * 4 + [0.5] * 5])
def test_whoever_is_far_away_does_not_make_equal_ones_differ(places: list[float]) -> None:
    assert falsely_told(8, places, 0.05, 1000) <= 0.065


def test_whoever_scatters_does_not_make_steady_ones_differ() -> None:
    scatter = np.full(9, 0.03)
    scatter[0] = 0.3
    assert falsely_told(8, [0.0] * 9, scatter, 1000) <= 0.065


def test_a_difference_of_a_fifth_is_found_beside_eight_equal_ones() -> None:
    random = np.random.default_rng(8)
    places = np.array([0.2, *[0.0] * 8])
    found = [differing(table(random, 8, places, 0.035))[0, 1:].all() for _ in range(200)]
    assert np.mean(found) > 0.95
