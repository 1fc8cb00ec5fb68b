"""Due times of a schedule's lanes: "Steps and lanes" of the contract, in whole numbers."""

from __future__ import annotations

from collections.abc import Iterator

from .contract import SECOND, Json

_GOLDEN = 618_033_989


def offset_ns(schedule: Json, tick: int, lane: int) -> int:
    """The time after tick 0 at which ``lane`` is intended at ``tick``."""
    period_ns: int = schedule["period_ns"]
    return int(schedule["first_ns"]) + tick * period_ns + _shift_ns(schedule, lane) % period_ns


def due_lanes(schedule: Json, tick: int) -> Iterator[int]:
    """The lanes that are due at ``tick``; lane 0 at each where there are no steps."""
    before, step = _step(schedule, tick)
    if step is None:
        yield 0
        return
    settled = tick >= step["first"] + step["settle"]
    lanes = step["lanes"] if settled else min(step["lanes"], before["lanes"] if before else 0)
    yield from (lane for lane in range(lanes) if _active(schedule, tick, lane))


def verified_lane(schedule: Json, tick: int) -> int:
    """The lane whose answer is asked for at a verified tick."""
    _, step = _step(schedule, tick)
    return tick % int(step["lanes"]) if step else 0


def can_be_verified(schedule: Json, tick: int) -> bool:
    """Whether the lane that is asked at ``tick`` is due there."""
    return verified_lane(schedule, tick) in due_lanes(schedule, tick)


def is_closed(schedule: Json) -> bool:
    """Whether lanes wait for their results; batches, whose loop is closed too, have no steps."""
    return bool(schedule.get("loop") == "closed" and schedule["steps"])


def multiples(begin: int, end: int, every: int) -> int:
    """Count the ticks from ``begin`` to before ``end`` at which an operation is due."""
    return -(-end // every) + (-begin // every)


def turns_of(schedule: Json, every: int, lane: int) -> Iterator[int]:
    """The ticks that a lane of a closed loop takes an operation's turns at."""
    for step in schedule["steps"]:
        if lane < step["lanes"]:
            ticks = range(step["first"], step["first"] + step["count"])
            yield from (tick for tick in ticks if tick % every == 0)


def verified_ticks(schedule: Json, every: int) -> list[int]:
    """First and last tick that count and at which an operation is due."""
    due = []
    for step in schedule["steps"]:
        begin, end = step["first"] + step["settle"], step["first"] + step["count"]
        if multiples(begin, end, every):
            due += [-(-begin // every) * every, (end - 1) // every * every]
    return sorted({due[0], due[-1]}) if due else []


def joins(schedule: Json) -> dict[int, int]:
    """The time after tick 0 at which each user is intended to connect."""
    found: dict[int, int] = {}
    for step in schedule["steps"]:
        added = range(len(found), step["users"])
        begin_ns = schedule["first_ns"] + step["first"] * schedule["period_ns"]
        for turn, user in enumerate(added):
            found[user] = begin_ns + turn * step["join_ns"] // len(added)
    return found


def _step(schedule: Json, tick: int) -> tuple[Json | None, Json | None]:
    """The step before that of ``tick``, and its own."""
    before = None
    for step in schedule["steps"]:
        if step["first"] <= tick < step["first"] + step["count"]:
            return before, step
        before = step
    return before, None


def _shift_ns(schedule: Json, lane: int) -> int:
    cycle_ns = int(schedule["cycle"]["length"] * schedule["period_ns"])
    return lane * _GOLDEN % SECOND * cycle_ns // SECOND


def _active(schedule: Json, tick: int, lane: int) -> bool:
    cycle = schedule["cycle"]
    phase = _shift_ns(schedule, lane) // schedule["period_ns"]
    return bool((tick - phase) % cycle["length"] < cycle["active"])
