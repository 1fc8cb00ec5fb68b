"""Which lane is due when: the arithmetic of the contract's *Steps and lanes*."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wirelab_sdk.answers import Phase
from wirelab_sdk.spec import Operation, Schedule, Step

_GOLDEN, _WHOLE = 618_033_989, 1_000_000_000


class LaneTurn(NamedTuple):
    """Which repetition a lane performs."""

    phase: Phase
    tick: int
    lane: int
    step: Step


def steps_of(schedule: Schedule) -> tuple[Step, ...]:
    """The steps of a schedule; one that has none is a single step of one lane."""
    whole = Step("", 0, schedule.count, 0, 1, 1, 0, {})
    return schedule.steps or (whole,)


def most_lanes(schedule: Schedule) -> int:
    """Lanes of the step that has most."""
    return max(step.lanes for step in steps_of(schedule))


def turns_of(ticks: range, lane: int, step: Step, operation: Operation) -> Iterator[LaneTurn]:
    """What ``lane`` performs of ``operation`` at ``ticks`` of a closed loop."""
    for tick in ticks:
        if operation.due(tick):
            yield LaneTurn("measure", tick, lane, step)


def due_turns(
    schedule: Schedule, lane: int, operation: Operation
) -> Iterator[tuple[int, LaneTurn]]:
    """What ``lane`` performs in an open loop, each turn after its intended ns since tick 0."""
    length, active = schedule.cycle
    shift_ns = lane * _GOLDEN % _WHOLE * length * schedule.period_ns // _WHOLE
    periods, within_ns = divmod(shift_ns, schedule.period_ns)
    before = 0
    for step in steps_of(schedule):
        if lane < step.lanes:
            first = step.first + (0 if lane < before else step.settle)
            for tick in range(first, step.first + step.count):
                if operation.due(tick) and (tick - periods) % length < active:
                    yield (
                        schedule.intended(0, tick) + within_ns,
                        LaneTurn("measure", tick, lane, step),
                    )
        before = step.lanes


def last_intended(schedule: Schedule) -> int:
    """Nanoseconds since tick 0 within which everything is due."""
    return schedule.intended(0, schedule.count)
