"""The open loop of the harness in Python: who is due when, by the contract's arithmetic."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest

from wirelab.model.run import PlannedStep
from wirelab.model.suite import Cycle
from wirelab.schedule import Schedule
from wirelab_sdk import Step

LIBRARY = Path(__file__).parents[2] / "suites" / "messaging" / "libraries" / "python"
PERIOD = 100_000_000
ZERO = 1_000_000_007


class Asked:
    """A user that notes what it is asked to do and when it was intended."""

    def __init__(self) -> None:
        self.joined: list[int] = []
        self.echoes: list[tuple[int, int]] = []

    async def join(self, intended_ns: int) -> None:
        self.joined.append(intended_ns)

    async def echo(self, tick: int, _size: int, intended_ns: int, _answered: int | None) -> None:
        self.echoes.append((tick, intended_ns))


def performed(
    monkeypatch: pytest.MonkeyPatch, steps: tuple[Step, ...], cycle: tuple[int, int]
) -> list[Asked]:
    """What each user of the last step did; no time passes."""
    monkeypatch.syspath_prepend(str(LIBRARY))
    from messaging_harness import open_loop

    async def at_once(_self: object, _intended_ns: int) -> bool:
        return True

    monkeypatch.setattr(open_loop._Loop, "_until", at_once)
    spec = SimpleNamespace(
        schedule=SimpleNamespace(period_ns=PERIOD, cycle=cycle),
        verify=SimpleNamespace(wants=lambda _operation, _tick: False),
        parameters={},
        parameter=lambda _name, _default, _step: 1000,
    )
    place = SimpleNamespace(worker=SimpleNamespace(spec=spec, stopping=False), broadcasts=False)
    users = [Asked() for _ in range(steps[-1].users)]

    async def live() -> None:
        loop = open_loop._Loop(place, steps, ZERO)
        for lane, user in enumerate(users):
            await loop.live(user, lane)

    asyncio.run(live())
    return users


def steps() -> tuple[Step, ...]:
    return (
        Step("few", 0, 12, 2, 3, 3, PERIOD, {}),
        Step("many", 12, 18, 5, 7, 6, PERIOD, {}),
    )


@pytest.mark.parametrize("cycle", [(1, 1), (5, 1), (6, 4), (30, 1)])
def test_lanes_are_active_for_their_part_of_a_cycle(
    monkeypatch: pytest.MonkeyPatch, cycle: tuple[int, int]
) -> None:
    users = performed(monkeypatch, steps(), cycle)
    length, active = cycle
    for lane, user in enumerate(users):
        shift = lane * 618_033_989 % 10**9 * length * PERIOD // 10**9
        whole, within = divmod(shift, PERIOD)
        first = 0 if lane < 3 else 12
        due = [tick for tick in range(30) if (tick - whole) % length < active]
        # Lanes that a step adds settle with it; lane 6 is a user who sends nothing.
        due = [tick for tick in due if tick >= first + (2 if lane < 3 else 5)] if lane < 6 else []
        assert user.echoes == [(tick, ZERO + tick * PERIOD + within) for tick in due]
    planned = [
        PlannedStep(
            name=step.name,
            first=step.first,
            count=step.count,
            settle=step.settle,
            users=step.users,
            lanes=step.lanes,
            join_ns=step.join_ns,
        )
        for step in steps()
    ]
    core = Schedule(PERIOD, 30, planned, Cycle(length=length, active=active))
    assert sum(len(user.echoes) for user in users) == core.expected(0, 30, 1)


def test_everybody_joins_once_within_its_step(monkeypatch: pytest.MonkeyPatch) -> None:
    users = performed(monkeypatch, steps(), (1, 1))
    joined = [at for user in users for at in user.joined]
    few = [ZERO + PERIOD * k // 3 for k in range(3)]
    many = [ZERO + 12 * PERIOD + PERIOD * k // 4 for k in range(4)]
    assert joined == [*few, *many]
