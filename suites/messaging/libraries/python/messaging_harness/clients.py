"""The role ``client``: all users of a trial in one process."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import cast

from messaging_harness import closed_loop, open_loop
from messaging_harness.deliveries import Deliveries
from messaging_harness.messages import Messages
from messaging_harness.transport import Transport
from messaging_harness.user import User, Workplace
from wirelab_sdk import Spec, Worker

_PREFLIGHT_SEQUENCE = 1_000_000


async def play(worker: Worker, make: Callable[[Spec], Transport]) -> None:
    """Connect, check, say ``ready``, and carry out the schedule."""
    spec = worker.spec
    transport = make(spec)
    messages = Messages(spec.seed)
    is_closed = spec.schedule.is_closed
    deliveries = Deliveries(messages, spec.paths.intervals, is_open=not is_closed)
    place = Workplace(worker, transport, messages, deliveries)
    await _preflight(place)
    name, version = transport.library
    worker.ready(name, version, capabilities=["lanes"])
    writing = asyncio.create_task(_write_intervals(deliveries))
    try:
        await (closed_loop.run(place) if is_closed else open_loop.run(place))
    finally:
        writing.cancel()
        deliveries.close()
        for user in place.users:
            with contextlib.suppress(Exception):
                await user.leave()
        await transport.close()


async def _preflight(place: Workplace) -> None:
    spec = place.worker.spec
    count = spec.verify.preflight.get("echo", 0)
    if not count:
        return
    user = User(0, place)
    size = cast(int, spec.parameters["message_bytes"])
    for index in range(count):
        await user.echo(_PREFLIGHT_SEQUENCE + index, size, None, index, "preflight")
    await user.leave()


async def _write_intervals(deliveries: Deliveries) -> None:
    """Old seconds go to the file while new ones are counted: memory stays bounded."""
    while True:
        await asyncio.sleep(1)
        deliveries.write(everything=False)
