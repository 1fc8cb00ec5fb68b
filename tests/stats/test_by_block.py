"""Figures side by side, by the blocks that they have in common."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from wirelab.model.result import ByBlock, Metric
from wirelab.stats.by_block import log_ratios, log_table
from wirelab.stats.ratio import quotient, ratio


def metric(*values: float, of: str = "run/main", first: int = 1) -> Metric:
    """A figure whose blocks follow each other."""
    return merged({1: dict(enumerate(values, start=first))}, of)


def merged(values: dict[int, dict[int, float]], of: str = "run/main") -> Metric:
    own = [*next(iter(values.values()), {1: 1.0}).values()]
    return Metric(
        value=float(np.mean(own)), unit="ms", per_trial=list(own),
        by_block=ByBlock(of=of, values=values),
    )  # fmt: skip


def test_pairs_never_cross_blocks() -> None:
    found = log_ratios(metric(2.0, 8.0, 6.0), metric(4.0, 2.0, 9.0, first=2))
    assert found == pytest.approx([log(8 / 4), log(6 / 2)])


@pytest.mark.parametrize(
    "other",
    [
        metric(1.0, 2.0, of="another run/main"),
        metric(1.0, 2.0, first=9),
        metric(1.0, 0.0),
        merged({2: {1: 1.0, 3: 2.0}}),
        Metric(value=1.0, unit="ms", per_trial=[1.0, 2.0]),
    ],
)
def test_what_met_no_block_together_has_no_pairs(other: Metric) -> None:
    one = metric(2.0, 3.0)
    assert log_ratios(one, other) == []
    assert ratio(one, other) == quotient(one, other)


def test_the_fewest_neighbours_that_both_support_are_made_one() -> None:
    long = merged({1: {1: 1.0, 2: 1.0}, 2: {1: 3.0, 3: 4.0}, 4: {1: 9.0}})
    short = merged({2: {1: 1.5, 3: 1.0}, 4: {1: 9.0}})
    assert log_ratios(long, short) == pytest.approx([log(2), log(4)])


def test_the_ratio_is_that_of_the_blocks_and_no_quotient() -> None:
    # 2, 2 and 3 times as much; the mean of one is 28/13 times that of the other.
    slow, swift = metric(2.0, 20.0, 6.0), metric(1.0, 10.0, 2.0)
    found = ratio(slow, swift)
    assert found is not None
    assert found.value == pytest.approx((2 * 2 * 3) ** (1 / 3))
    assert found.value != pytest.approx(28 / 13)


def test_a_table_has_gaps_where_a_figure_has_no_block() -> None:
    table = log_table([metric(1.0, 1.0), metric(1.0, 1.0, first=2)])
    assert np.isnan(table).tolist() == [[False, True], [False, False], [True, False]]


@pytest.mark.parametrize(
    "figures",
    [
        [metric(0.0, 0.0), metric(0.0, 0.0)],
        [metric(1.0), Metric(value=1.0, unit="ms")],
        [metric(1.0), metric(1.0, of="another run/main")],
    ],
)
def test_a_table_of_what_cannot_be_paired_has_no_rows(figures: list[Metric]) -> None:
    assert log_table(figures).shape == (0, 2)
