"""Open loop: every lane at its intended times, whatever the others and the server do."""

from __future__ import annotations

import asyncio
import time

from messaging_harness.user import User, Workplace
from wirelab_sdk import Step

_GOLDEN, _WHOLE = 618_033_989, 1_000_000_000
_SECOND = 1_000_000_000
_POLL_S = 0.001


async def run(place: Workplace) -> None:
    """Carry out the schedule of the spec; without steps lane 0 sends and the others listen."""
    start_ns = await place.worker.started()
    if start_ns is None:
        return
    spec = place.worker.spec
    place.deliveries.tick0_ns = start_ns
    whole = Step("", 0, spec.schedule.count, 0, spec.parameter("users", 1), 1, 0, {})
    steps = spec.schedule.steps or (whole,)
    last = steps[-1]
    place.deliveries.begin(
        0,
        "",
        spec.parameter("message_bytes", 0, last),
        users=last.users,
        senders=last.users,
        each=last.first + last.count,
        counts=True,
    )
    loop = _Loop(place, steps, start_ns + spec.schedule.first_ns)
    dying = asyncio.create_task(loop.lose_one())
    await asyncio.gather(*(loop.live(user, n) for n, user in enumerate(place.grown(last.users))))
    ticks_ns = (last.first + last.count) * spec.schedule.period_ns
    deadline_ns = start_ns + spec.schedule.first_ns + ticks_ns + spec.limits.operation_ns
    while not place.deliveries.complete and not place.worker.stopping:
        if time.monotonic_ns() > deadline_ns:
            break
        await asyncio.sleep(_POLL_S)
    dying.cancel()


class _Loop:
    def __init__(self, place: Workplace, steps: tuple[Step, ...], zero_ns: int) -> None:
        self._place = place
        self._steps = steps
        self._zero_ns = zero_ns
        self._period_ns = place.worker.spec.schedule.period_ns
        self._lost = 0

    async def live(self, user: User, lane: int) -> None:
        """From joining to the last tick of one user."""
        await self._join(user, lane)
        before = 0
        for step in self._steps:
            if lane < step.lanes:
                first = step.first + (0 if lane < before else step.settle)
                for tick in range(first, step.first + step.count):
                    if not await self._perform(user, lane, step, tick):
                        return
            before = step.lanes

    async def _join(self, user: User, lane: int) -> None:
        before = 0
        for step in self._steps:
            if lane < step.users:
                share = step.join_ns * (lane - before) // (step.users - before)
                intended_ns = self._zero_ns + step.first * self._period_ns + share
                timed = self._place.worker.spec.parameters.get("connect") == "timed"
                if not timed and await self._until(intended_ns):
                    await user.join(intended_ns)
                return
            before = step.users

    async def _perform(self, user: User, lane: int, step: Step, tick: int) -> bool:
        length, active = self._place.worker.spec.schedule.cycle
        shift = lane * _GOLDEN % _WHOLE * length * self._period_ns // _WHOLE
        if (tick - shift // self._period_ns) % length >= active:
            return True
        intended_ns = self._zero_ns + tick * self._period_ns + shift % self._period_ns
        if not await self._until(intended_ns):
            return False
        size = self._place.worker.spec.parameter("message_bytes", 0, step)
        if self._place.broadcasts:
            await user.send(tick, size, intended_ns, step.users - self._lost)
        else:
            verify = self._place.worker.spec.verify
            asked = tick % step.lanes == lane and verify.wants("echo", tick)
            await user.echo(tick, size, intended_ns, tick if asked else None)
        return True

    async def lose_one(self) -> None:
        """The user of a scenario that dies while the others go on."""
        after_ms = self._place.worker.spec.parameter("client_dies_ms", 0)
        if after_ms and len(self._place.users) > 1:
            dying = self._place.users[1]
            await self._until(self._zero_ns + after_ms * 1_000_000)
            # On a busy machine it may not be there yet, and would only come afterwards.
            while not dying.is_connected:
                await asyncio.sleep(_POLL_S)
            self._lost = 1
            await dying.abandon()

    async def _until(self, intended_ns: int) -> bool:
        left_ns = intended_ns - time.monotonic_ns()
        if left_ns > 0:
            await asyncio.sleep(left_ns / _SECOND)
        return not self._place.worker.stopping
