"""Steps and lanes: the arithmetic against the contract's own words, counted one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirelab.model.load import Cycle
from wirelab.model.planned import PlannedSchedule, ScheduledStep
from wirelab.schedule import Schedule

PERIOD = 16_666_667


@st.composite
def schedules(draw: st.DrawFn) -> Schedule:
    length = draw(st.integers(1, 12))
    cycle = Cycle(length=length, active=draw(st.integers(1, length)))
    steps: list[ScheduledStep] = []
    first = users = 0
    for number in range(draw(st.integers(1, 4))):
        users += draw(st.integers(1, 8))
        count = draw(st.integers(1, 15))
        steps.append(
            ScheduledStep(
                name=f"s{number}",
                first=first,
                count=count,
                settle=draw(st.integers(0, count)),
                users=users,
                lanes=draw(st.integers(1, users)),
                join_ns=PERIOD,
            )
        )
        first += count
    return Schedule(PERIOD, first, steps, cycle)


def due(schedule: Schedule, tick: int, lane: int) -> bool:
    """The contract's sentences, one after the other."""
    before = 0
    for step in schedule.steps:
        if step.first <= tick < step.first + step.count:
            if lane >= step.lanes:
                return False
            if lane >= before and tick < step.first + step.settle:
                return False
            length = schedule.cycle.length
            shift = (lane * 618_033_989 % 10**9) * length * PERIOD // 10**9
            return (tick - shift // PERIOD) % length < schedule.cycle.active
        before = step.lanes
    return False


@given(schedules(), st.integers(1, 4), st.data())
def test_expected_operations_are_those_due_one_by_one(
    schedule: Schedule, every: int, data: st.DataObject
) -> None:
    begin = data.draw(st.integers(0, schedule.count))
    end = data.draw(st.integers(begin, schedule.count))
    counted = sum(
        due(schedule, tick, lane)
        for tick in range(begin, end)
        if tick % every == 0
        for lane in range(40)
    )
    assert schedule.expected(begin, end, every) == counted


@given(schedules(), st.integers(1, 4))
def test_times_are_those_of_the_ticks_that_are_due(schedule: Schedule, every: int) -> None:
    expected = [
        tick * PERIOD + int(schedule.shifts(np.array([lane]))[0]) % PERIOD
        for tick in range(0, schedule.count, every)
        for lane in range(40)
        if due(schedule, tick, lane)
    ]
    assert sorted(schedule.times(0, schedule.count, every).tolist()) == sorted(expected)


@given(schedules())
def test_intended_times_are_recognised_and_others_are_not(schedule: Schedule) -> None:
    pairs = [(tick, lane) for tick in range(schedule.count) for lane in range(12)]
    ticks, lanes = (np.array(column, dtype=np.int64) for column in zip(*pairs, strict=True))
    at = ticks * PERIOD + schedule.shifts(lanes) % PERIOD
    wanted = [due(schedule, tick, lane) for tick, lane in pairs]
    assert schedule.on_schedule(at, lanes, 1).tolist() == wanted
    assert [schedule.is_due(tick, lane) for tick, lane in pairs] == wanted
    assert not schedule.on_schedule(at + 1, lanes, 1).any()


def test_lanes_are_spread_over_the_period_however_many_there_are() -> None:
    for count in (10, 100, 1000):
        shifts = np.sort(Schedule(10**9, 1).shifts(np.arange(count)))
        gaps = np.diff(shifts, append=shifts[0] + 10**9)
        assert gaps.max() < 3 * 10**9 / count


def test_without_steps_there_is_one_lane_at_every_tick() -> None:
    schedule = Schedule(PERIOD, 10)
    assert schedule.expected(2, 10, 3) == 3
    assert schedule.times(2, 10, 3).tolist() == [3 * PERIOD, 6 * PERIOD, 9 * PERIOD]
    assert schedule.is_due(0, 0)
    assert not schedule.is_due(0, 1)


def test_those_who_join_are_counted_in_their_step() -> None:
    steps = [
        ScheduledStep(name="a", first=0, count=5, settle=1, users=10, lanes=10, join_ns=1),
        ScheduledStep(name="b", first=5, count=5, settle=1, users=25, lanes=10, join_ns=1),
    ]
    schedule = Schedule(PERIOD, 10, steps)
    assert schedule.expected_joins(0, 10) == 25
    assert schedule.expected_joins(5, 10) == 15


@pytest.mark.parametrize(("tick", "lane"), [(0, 0), (7, 7), (12, 2)])
def test_a_verified_tick_asks_one_lane(tick: int, lane: int) -> None:
    step = ScheduledStep(name="a", first=0, count=20, settle=0, users=10, lanes=10, join_ns=1)
    assert Schedule(PERIOD, 20, [step]).verified_lane(tick) == lane


def test_processes_are_lanes_from_the_first_tick_to_the_last() -> None:
    planned = PlannedSchedule(period_ns=PERIOD, count=10, warmup=2, processes=3)
    several = Schedule.of(planned)
    assert (several.lanes_at(0), several.lanes_at(9)) == (3, 3)
    assert several.expected(2, 10, 4) == 3 * 2
    shifts = several.shifts(np.arange(3))
    assert np.array_equal(np.sort(several.times(9, 10, 1)), np.sort(9 * PERIOD + shifts))
    lanes = np.repeat(np.arange(4), 2)
    since = np.concatenate([[lane_shift, lane_shift + 1] for lane_shift in (*shifts, 0)])
    assert several.on_schedule(since, lanes, 1).tolist() == [True, False] * 3 + [False] * 2
    one = Schedule.of(planned.model_copy(update={"processes": 1}))
    assert (one.steps, one.expected(2, 10, 4)) == ([], 2)
