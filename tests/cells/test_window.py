"""The measured window: ticks warmup to count."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirelab.cells.asked import ClosedSteps, Ticks
from wirelab.cells.window import Window
from wirelab.model.parts import Operation
from wirelab.model.planned import PlannedClosed, PlannedStep, PlannedTrial
from wirelab.model.trial import TrialRecord, TrialStatus
from wirelab.samples.intervals import Interval
from wirelab.schedule import Schedule

MS = 1_000_000
SECOND = 1_000 * MS


def ticked(tick0_ns: int, period_ns: int, warmup: int, count: int) -> Window:
    """A window of ticks ``warmup`` to ``count``."""
    return Window.of_ticks(tick0_ns, Ticks(Schedule(period_ns, count), warmup, count))


def test_it_is_the_scheduled_one() -> None:
    window = ticked(1_000 * MS, 100 * MS, 30, 600)
    assert window.begin_ns == 4_000 * MS
    assert window.end_ns == 61_000 * MS
    assert window.seconds == 57
    assert window.blocks == 57


@given(st.integers(1, 500), st.integers(0, 500), st.integers(1, 60))
def test_expected_operations_are_the_due_ticks_of_the_window(
    more: int, warmup: int, every: int
) -> None:
    window = ticked(0, MS, warmup, warmup + more)
    assert window.expected(Operation(code=1, every=every)) == sum(
        tick % every == 0 for tick in range(warmup, warmup + more)
    )


def test_an_incomplete_last_second_is_a_block() -> None:
    assert ticked(0, 100 * MS, 0, 25).blocks == 3


@pytest.mark.parametrize(
    ("at", "due"),
    [(0, True), (100, False), (1000, True), (1001, False), (-1000, False), (2500, False)],
)
def test_due_ticks(at: int, due: bool) -> None:
    window = ticked(5_000 * MS, 100 * MS, 0, 25)
    intended = np.array([5_000 * MS + at * MS])
    assert window.at_due_ticks(intended, 10).tolist() == [due]


# ------------------------------------------------------------------------------ closed loops


def planned_step(name: str, first: int, users: int, lanes: int | None = None) -> PlannedStep:
    """Ten ticks, the first two of them settling."""
    return PlannedStep(
        name=name, first=first, count=10, settle=2, users=users, lanes=lanes or users
    )


def closed(step: str = "", **said: tuple[int, int]) -> Window:
    """The window of a trial of two steps, of 3 and of 5 users, whose tick 0 was at 1 s."""
    steps = [planned_step("few", 0, 3), planned_step("more", 10, 5, lanes=4)]
    planned = PlannedTrial(
        id="0", position=0, block=0, suite="demo", scenario="main", variant="", contender="a",
        included=True, seed=1, parameters={}, operations=["rtt"],
        load=PlannedClosed(at_most_ns=MS, steps=steps),
    )  # fmt: skip
    times = said or {"few": (2 * SECOND, 5 * SECOND), "more": (7 * SECOND, 7 * SECOND + 500 * MS)}
    record = TrialRecord(planned=planned, status=TrialStatus.OK, tick0_ns=SECOND, steps=times)
    return Window.of(planned, record, step)


def test_a_step_of_a_closed_loop_is_what_its_worker_said() -> None:
    few, more = closed("few"), closed("more")
    assert (few.begin_ns, few.end_ns, few.seconds) == (2 * SECOND, 5 * SECOND, 3)
    assert (more.seconds, more.blocks) == (0.5, 1)
    assert few.closed


def test_the_whole_of_it_is_made_of_its_steps_alone() -> None:
    whole = closed()
    assert (whole.begin_ns, whole.end_ns) == (2 * SECOND, 7 * SECOND + 500 * MS)
    assert whole.seconds == 3.5
    assert whole.blocks == 4
    at = np.array([1, 2, 4, 5, 6, 7, 8], dtype=np.int64) * SECOND
    assert at[whole.inside(at)].tolist() == [2 * SECOND, 4 * SECOND, 7 * SECOND]
    inside = at[whole.inside(at)]
    assert whole.cut(inside, inside).bounds.tolist() == [0, 1, 1, 2, 3]


@pytest.mark.parametrize(
    ("operation", "few", "more"),
    [
        (Operation(code=1), 8 * 3, 8 * 4),
        (Operation(code=1, every=4), 2 * 3, 2 * 4),  # ticks 4, 8; 12, 16
        (Operation(code=1, due="step"), 3, 5),
        (Operation(code=1, due="join"), 3, 2),
    ],
)
def test_expected_operations_of_a_closed_loop(operation: Operation, few: int, more: int) -> None:
    assert closed("few").expected(operation) == few
    assert closed("more").expected(operation) == more
    assert closed().expected(operation) == few + more


@given(st.integers(0, 40), st.integers(0, 9), st.integers(1, 9), st.integers(1, 12))
def test_ticks_keep_their_numbers_over_all_steps(
    first: int, settle: int, more: int, every: int
) -> None:
    step = planned_step("a", first, 2).model_copy(update={"settle": settle, "count": settle + more})
    due = sum(tick % every == 0 for tick in range(first + settle, first + settle + more))
    assert ClosedSteps((step,), 2).expected(Operation(code=1, every=every)) == 2 * due


def test_nobody_says_how_often_anything_is_done_in_a_ramp() -> None:
    step = planned_step("a", 0, 2).model_copy(update={"ramp_ns": SECOND, "count": 1_000_000})
    assert ClosedSteps((step,), 2).expected(Operation(code=1)) == 0


def test_users_join_between_the_step_before_and_their_own() -> None:
    join = Operation(code=1, due="join")
    assert closed("few").for_operation(join).spans == ((SECOND, 2 * SECOND),)
    assert closed("more").for_operation(join).spans == ((5 * SECOND, 7 * SECOND),)
    assert len(closed().for_operation(join).spans) == 2


def test_a_line_belongs_to_its_step_whatever_its_second() -> None:
    line = Interval(second=99, operation="delivery", counts={}, step="few")
    assert closed("few").holds(line)
    assert not closed("more").holds(line)
    assert closed().holds(line)
    assert not closed().holds(Interval(second=1, operation="delivery", counts={}))


def test_a_step_without_any_length_divides_nothing_by_zero() -> None:
    empty = closed("few", few=(2 * SECOND, 2 * SECOND), more=(2 * SECOND, 3 * SECOND))
    assert empty.seconds > 0
    assert empty.blocks == 1
    more = closed("more", few=(2 * SECOND, 2 * SECOND), more=(2 * SECOND, 3 * SECOND))
    assert more.for_operation(Operation(code=1, due="join")).seconds > 0
