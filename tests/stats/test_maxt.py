"""Contenders of a table that differ."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from wirelab.stats.maxt import differing

Floats = npt.NDArray[np.float64]


def told(values: Floats) -> npt.NDArray[np.bool_]:
    return differing(values).apart


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
    tables = (told(table(random, blocks, own, scatter)) & equal for _ in range(runs))
    return sum(bool(wrong.any()) for wrong in tables) / runs


def test_what_is_worse_in_every_block_is_told_apart_by_six() -> None:
    hours = np.array([0.0, 3.0, 1.0, -2.0, 5.0, 4.0])
    apart = np.array([0.1, 0.11, 0.09, 0.1, 0.12, 0.1])
    values = np.column_stack([hours, hours + apart])
    assert told(values).tolist() == [[False, True], [True, False]]
    assert not told(values[:5]).any()


def test_one_block_the_other_way_leaves_six_open() -> None:
    apart = np.array([0.1, 0.11, 0.09, 0.1, 0.12, -0.01])
    assert not told(np.column_stack([np.zeros(6), apart])).any()


def test_what_is_equal_or_always_the_same_apart_is_judged_too() -> None:
    same = np.zeros((6, 1))
    assert not told(np.hstack([same, same])).any()
    # Sizes, say: 10 and 12 bytes in every block.
    assert told(np.hstack([same, same + np.log(1.2)]))[0, 1]


@pytest.mark.parametrize(("rows", "columns"), [(0, 2), (8, 1), (8, 0)])
def test_nobody_differs_where_there_is_nobody_to_differ_from(rows: int, columns: int) -> None:
    assert not told(np.ones((rows, columns))).any()


PLACES = np.array([0.0, 0.0, 0.2, 0.25])


@pytest.mark.parametrize("blocks", [6, 8, 12])
def test_up_to_twelve_blocks_the_order_of_blocks_and_contenders_does_not_matter(
    blocks: int,
) -> None:
    random = np.random.default_rng(4)
    values = table(random, blocks, PLACES, 0.03)
    found = told(values)
    assert found.any()
    for _ in range(20):
        rows, columns = random.permutation(blocks), random.permutation(len(PLACES))
        assert np.array_equal(told(values[rows][:, columns]), found[columns][:, columns])


def test_beyond_twelve_blocks_the_order_of_contenders_does_not_matter() -> None:
    """Blocks may differ in close cases: arrangements are drawn, by the number of the block."""
    random = np.random.default_rng(4)
    values = table(random, 15, PLACES, 0.03)
    found = told(values)
    assert found.any()
    for _ in range(20):
        columns = random.permutation(len(PLACES))
        assert np.array_equal(told(values[:, columns]), found[columns][:, columns])


def test_what_all_have_in_common_tells_nobody_apart() -> None:
    values = table(np.random.default_rng(4), 8, PLACES, 0.03)
    found = told(values)
    assert found.any()
    assert np.array_equal(told(values + 7.0), found)


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
    found = [told(table(random, 8, places, 0.035))[0, 1:].all() for _ in range(200)]
    assert np.mean(found) > 0.95


def test_a_pair_is_judged_by_the_blocks_that_both_have() -> None:
    random = np.random.default_rng(6)
    values = table(random, 9, np.array([0.0, 0.0, 0.5]), 0.03)
    values[:3, 2] = np.nan
    values[3:7, 1] = np.nan
    found = differing(values)
    # Third and first share six blocks, third and second two, second and first five.
    assert found.judged.tolist() == [[False, False, True], [False] * 3, [True, False, False]]
    assert found.apart.tolist() == found.judged.tolist()


def test_blocks_that_one_lacks_leave_the_others_their_rate_of_false_tables() -> None:
    random = np.random.default_rng(9)
    false = 0
    for _ in range(1000):
        values = table(random, 9, np.zeros(6), 0.05)
        values[random.random((9, 6)) < 0.1] = np.nan
        false += bool(told(values).any())
    assert false / 1000 <= 0.065
