"""Stretches of time, and how much of them lies within operations: by hand."""

from __future__ import annotations

import numpy as np

from wirelab.cells.stretches import Stretches

Rows = list[tuple[int, int, int]]


def times(*spans: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    start, end = np.array(spans, dtype=np.int64).T
    return start, end


def test_what_touches_a_stretch_shares_an_instant_with_it() -> None:
    found = Stretches.of([(100, 200, 100)])
    spans = [(0, 100), (0, 101), (150, 160), (199, 300), (200, 300)]
    assert found.touch(*times(*spans)).tolist() == [False, True, True, True, False]


def test_a_long_stretch_reaches_beyond_those_that_begin_after_it() -> None:
    found = Stretches.of([(120, 130, 10), (100, 500, 400)])
    assert found.touch(*times((300, 310), (500, 510))).tolist() == [True, False]


def test_the_time_within_is_cut_at_both_ends() -> None:
    found = Stretches.of([(100, 110, 10), (120, 130, 10), (140, 150, 10)])
    spans = [(0, 1000), (105, 145), (122, 125), (110, 120), (0, 90), (200, 300)]
    assert found.within(*times(*spans)).tolist() == [30, 20, 3, 0, 0, 0]


def test_of_a_stretch_that_is_placed_loosely_it_is_the_most_that_may_lie_there() -> None:
    found = Stretches.of([(100, 120, 4)])
    assert found.within(*times((0, 1000), (110, 200), (118, 200))).tolist() == [4, 4, 2]
    assert found.slack_ns == 16


def test_of_nothing_nothing_is_told() -> None:
    nothing = Stretches.of([])
    assert nothing.touch(*times((0, 10))).tolist() == [False]
    assert nothing.within(*times((0, 10))).tolist() == [0]
    assert nothing.slack_ns == 0
