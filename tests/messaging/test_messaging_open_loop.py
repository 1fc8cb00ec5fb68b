"""The open loop of the harness in Python: who is due when, by the contract's arithmetic."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest

from wirelab.model.load import Cycle
from wirelab.model.planned import ScheduledStep
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
    """What each user of the last step did; all of it was due when the machine had just started."""
    monkeypatch.syspath_prepend(str(LIBRARY))
    from messaging_harness import open_loop

    async def started() -> int:
        return ZERO

    spec = SimpleNamespace(
        schedule=SimpleNamespace(first_ns=0, period_ns=PERIOD, cycle=cycle, steps=steps, count=30),
        verify=SimpleNamespace(wants=lambda _operation, _tick: False),
        limits=SimpleNamespace(operation_ns=PERIOD),
        parameters={},
        parameter=lambda name, default, _step=None: 1000 if name == "message_bytes" else default,
    )
    users: list[Asked] = []

    def grown(number: int) -> list[Asked]:
        users.extend(Asked() for _ in range(number))
        return users

    place = SimpleNamespace(
        worker=SimpleNamespace(spec=spec, stopping=False, started=started),
        deliveries=SimpleNamespace(begin=lambda *_, **__: None, complete=True),
        broadcasts=False,
        grown=grown,
    )
    asyncio.run(open_loop.run(place))
    assert len(users) == steps[-1].users
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
        ScheduledStep(
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
