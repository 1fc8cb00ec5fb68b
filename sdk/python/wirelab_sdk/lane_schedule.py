"""The lanes that are due, and when: the arithmetic of the contract's *Steps and lanes*."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wirelab_sdk.answers import Phase
from wirelab_sdk.spec import Operation, Schedule, Step

_GOLDEN, _WHOLE = 618_033_989, 1_000_000_000


JOINING = -1
"""The tick of a turn in which a user connects."""


class LaneTurn(NamedTuple):
    """A repetition that a lane performs, and when it is due: on CLOCK_MONOTONIC, None at once."""

    phase: Phase
    tick: int
    lane: int
    step: Step
    due_ns: int | None = None


def steps_of(schedule: Schedule, users: int = 1) -> tuple[Step, ...]:
    """The steps of a schedule; one that has none is a single step of one lane."""
    whole = Step("", 0, schedule.count, 0, users, 1, 0, {})
    return schedule.steps or (whole,)


def most_lanes(schedule: Schedule) -> int:
    """Lanes of the step that has most."""
    return max(step.lanes for step in steps_of(schedule))


def turns_of(ticks: range, lane: int, step: Step, operation: Operation) -> Iterator[LaneTurn]:
    """Yield the turns of ``lane`` for ``operation`` at ``ticks`` of a closed loop."""
    for tick in ticks:
        if operation.due(tick):
            yield LaneTurn("measure", tick, lane, step)


def join_of(
    schedule: Schedule, steps: tuple[Step, ...], start_ns: int, user: int
) -> LaneTurn | None:
    """The turn in which ``user`` connects in an open loop; None where no step has it."""
    before = 0
    for step in steps:
        if user < step.users:
            share_ns = step.join_ns * (user - before) // (step.users - before)
            due_ns = schedule.intended(start_ns, step.first) + share_ns
            return LaneTurn("measure", JOINING, user, step, due_ns)
        before = step.users
    return None


def due_turns(
    schedule: Schedule, steps: tuple[Step, ...], start_ns: int, lane: int, operation: Operation
) -> Iterator[LaneTurn]:
    """Yield the turns of ``lane`` in an open loop whose tick 0 is at ``start_ns``."""
    length, active = schedule.cycle
    shift_ns = lane * _GOLDEN % _WHOLE * length * schedule.period_ns // _WHOLE
    periods, within_ns = divmod(shift_ns, schedule.period_ns)
    before = 0
    for step in steps:
        if lane < step.lanes:
            first = step.first + (0 if lane < before else step.settle)
            for tick in range(first, step.first + step.count):
                if operation.due(tick) and (tick - periods) % length < active:
                    due_ns = schedule.intended(start_ns, tick) + within_ns
                    yield LaneTurn("measure", tick, lane, step, due_ns)
        before = step.lanes


def last_intended(schedule: Schedule) -> int:
    """Nanoseconds since tick 0 within which everything is due."""
    return schedule.intended(0, schedule.count)
