"""Closed loop: steps one after the other, a lane's next message when its last one is done."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable

from messaging_harness.user import User, Workplace
from wirelab_sdk import Status, Step

_POLL_S = 0.001


async def run(place: Workplace) -> None:
    """Carry out the steps of the spec."""
    start_ns = await place.worker.started()
    if start_ns is None:
        return
    place.deliveries.tick0_ns = start_ns
    before = 0
    for number, step in enumerate(place.worker.spec.schedule.steps):
        for user in place.grown(step.users)[before : step.users]:
            if not place.worker.stopping:
                await user.join()
        before = step.users
        if not place.worker.stopping:
            await _Run(place, step, number).carry_out()


class _Run:
    """One step under way."""

    def __init__(self, place: Workplace, step: Step, number: int) -> None:
        self._place = place
        self._step = step
        self._settling, self._counting = 2 * number + 1, 2 * number + 2
        self._size = place.worker.spec.parameter("message_bytes", 0, step)
        self._each = step.count - step.settle
        self._lanes = place.users[: step.lanes]
        self._deadline_ns = 0
        self._ended_ns = 0

    async def carry_out(self) -> None:
        step = self._step
        self._begin(self._settling, step.settle, counts=False)
        await self._all(step.settling, self._settling)
        await self._delivered()
        self._begin(self._counting, self._each, counts=True)
        begin_ns = time.monotonic_ns()
        limit_ns = self._place.worker.spec.limits.operation_ns
        period_ns = self._place.worker.spec.schedule.period_ns
        self._deadline_ns = begin_ns + self._each * period_ns + limit_ns
        await self._all(step.counting, self._counting)
        await self._delivered()
        if self._place.worker.stopping:
            return  # a step that was stopped has not ended
        end_ns = max(begin_ns + 1, self._ended_ns, self._place.deliveries.last_ns)
        self._record_users(begin_ns, end_ns)
        self._place.deliveries.write(everything=True)
        self._place.worker.step(step.name, begin_ns, end_ns)

    def _begin(self, stage: int, each: int, *, counts: bool) -> None:
        self._place.deliveries.begin(
            stage,
            self._step.name,
            self._size,
            users=self._step.users,
            senders=self._step.lanes,
            each=each,
            counts=counts,
        )

    async def _all(self, ticks: Iterable[int], stage: int) -> None:
        ticks = list(ticks)
        lanes = [self._lane(user, n, ticks, stage) for n, user in enumerate(self._lanes)]
        if len(lanes) == 1:
            await lanes[0]  # a task of its own would only add its switches
        else:
            await asyncio.gather(*lanes)

    async def _lane(self, user: User, lane: int, ticks: list[int], stage: int) -> None:
        wants = self._place.worker.spec.verify.wants
        for number, tick in enumerate(ticks):
            if not self._going:
                return
            sequence = stage << 32 | number
            if self._place.broadcasts:
                ended = await user.send(sequence, self._size, None, self._step.users)
                # A library that only takes the message over never lets anybody else run.
                await asyncio.sleep(0)
            else:
                asked = tick % self._step.lanes == lane and wants("echo", tick)
                ended = await user.echo(sequence, self._size, None, tick if asked else None)
            self._ended_ns = max(self._ended_ns, ended)

    @property
    def _going(self) -> bool:
        late = self._deadline_ns and time.monotonic_ns() > self._deadline_ns
        return not (self._place.worker.stopping or late)

    async def _delivered(self) -> None:
        deliveries, limit_ns = self._place.deliveries, self._place.worker.spec.limits.operation_ns
        while not deliveries.complete and self._going:
            if time.monotonic_ns() - deliveries.last_ns > limit_ns:
                return
            await asyncio.sleep(_POLL_S)

    def _record_users(self, begin_ns: int, end_ns: int) -> None:
        spec = self._place.worker.spec
        for operation in spec.operations.values():
            if operation.when != "step":
                continue
            for user in range(self._step.users):
                done_ns = self._place.deliveries.completed_ns(user, self._each * self._step.lanes)
                status = Status.TIMEOUT if done_ns is None else Status.OK
                self._place.worker.recorder.record(
                    begin_ns, begin_ns, done_ns or end_ns, operation.code, status, 0, user
                )
