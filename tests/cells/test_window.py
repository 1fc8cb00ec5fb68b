"""The measured window: ticks warmup to count."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirelab.cells.window import Window
from wirelab.model.suite import Operation

MS = 1_000_000


def test_it_is_the_scheduled_one() -> None:
    window = Window(tick0_ns=1_000 * MS, period_ns=100 * MS, warmup=30, count=600)
    assert window.begin_ns == 4_000 * MS
    assert window.end_ns == 61_000 * MS
    assert window.seconds == 57
    assert window.blocks == 57


@given(st.integers(1, 500), st.integers(0, 500), st.integers(1, 60))
def test_expected_operations_are_the_due_ticks_of_the_window(
    more: int, warmup: int, every: int
) -> None:
    window = Window(0, MS, warmup, warmup + more)
    assert window.expected(Operation(code=1, every=every)) == sum(
        tick % every == 0 for tick in range(window.warmup, window.count)
    )


def test_an_incomplete_last_second_is_a_block() -> None:
    assert Window(0, 100 * MS, 0, 25).blocks == 3


@pytest.mark.parametrize(
    ("at", "due"),
    [(0, True), (100, False), (1000, True), (1001, False), (-1000, False), (2500, False)],
)
def test_due_ticks(at: int, due: bool) -> None:
    window = Window(tick0_ns=5_000 * MS, period_ns=100 * MS, warmup=0, count=25)
    intended = np.array([5_000 * MS + at * MS])
    assert window.at_due_ticks(intended, 10).tolist() == [due]
