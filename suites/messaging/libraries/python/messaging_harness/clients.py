"""The role ``client``: all users of a trial in one process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from messaging_harness.deliveries import Deliveries
from messaging_harness.messages import Messages
from messaging_harness.phases import Phases
from messaging_harness.place import WorkerSetup
from messaging_harness.promises import try_promises
from messaging_harness.transport import Transport
from messaging_harness.users import Users
from wirelab_sdk import AsyncLanes, Spec, Worker, steps_of
from wirelab_sdk.secret import taken


async def play(worker: Worker, make: Callable[[Spec], Transport]) -> None:
    """Connect, check, say ``ready``, and carry out the schedule."""
    spec = worker.spec
    schedule = spec.schedule
    transport = make(spec)
    messages = Messages(spec.seed, taken())
    deliveries = Deliveries(messages, spec.paths.intervals, is_open=not schedule.is_closed)
    place = WorkerSetup(worker, transport, messages, deliveries)
    operation = spec.operations["send" if place.broadcasts else "echo"]
    phases = Phases(spec, operation, deliveries)
    # Without steps one user sends; the others only get what it sends.
    steps = steps_of(schedule, spec.parameter("users", 1))
    users = Users(place, phases, max(step.users for step in steps))
    # Where connecting is part of the first call, nobody joins.
    timed = spec.parameter("connect", "before") == "timed"
    joining = None if timed else users.join
    lanes = AsyncLanes(worker, users, operation, steps=steps, joining=joining, arrivals=phases)
    await lanes.preflight()
    await users.all[0].leave()
    name, version = transport.library
    worker.ready(name, version, capabilities=["lanes"])
    beside = [asyncio.create_task(_write_intervals(deliveries))]

    def begun(start_ns: int) -> None:
        deliveries.start_at(start_ns)
        if not schedule.is_closed:
            phases.begin_whole(steps[-1])
            losing = users.lose_one(start_ns + schedule.first_ns)
            beside.append(asyncio.create_task(losing))

    try:
        await lanes.run(begun)
        if place.promises and not worker.stopping:
            await try_promises(place, phases, steps[-1], users.all)
    finally:
        for task in beside:
            task.cancel()
        deliveries.close()
        for user in users.all:
            await user.leave()
        await transport.close()


async def _write_intervals(deliveries: Deliveries) -> None:
    """Old seconds go to the file while new ones are counted: memory stays bounded."""
    while True:
        await asyncio.sleep(1)
        deliveries.write(everything=False)
