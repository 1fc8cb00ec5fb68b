"""The promise of a connection, tried once nothing is due any more.

Whoever is connected gets what is sent from then on: users leave and come back, and somebody sends
to everybody at once. Who it is is drawn, and the message is the next one of its sender.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import time

from messaging_harness.deliveries import PROMISED, Deliveries
from messaging_harness.messages import stamp_sent
from messaging_harness.phases import Phases
from messaging_harness.place import WorkerSetup
from messaging_harness.user import User
from wirelab_sdk import Step

_log = logging.getLogger(__name__)
_COMPANY = 3
"""A user who comes back, one who sends, and one who shows that it was passed on."""
_ARRIVAL_S = 1.0
_WHOLE_S = 3.0
_POLL_S = 0.001


async def try_promises(place: WorkerSetup, phases: Phases, step: Step, users: list[User]) -> None:
    """Let some users come back; who cannot be spoken to any more has its own reasons."""
    there = [user for user in users[: step.users] if user.link is not None]
    senders = [user for user in there if user.number < step.lanes]
    if not senders or len(there) < _COMPANY:
        return
    draw = random.SystemRandom()
    try:
        async with asyncio.timeout(_WHOLE_S):
            for number in range(min(PROMISED, len(there))):
                sender = draw.choice(senders)
                returning, other = draw.sample([user for user in there if user is not sender], 2)
                sequence = phases.promised(step, place.deliveries.promise(number))
                message = place.messages.compose(sender.number, sequence, phases.bytes_of(step))
                if await _is_broken(place.deliveries, (returning, sender, other), number, message):
                    place.deliveries.promise_broken()
                    return
    except Exception as why:
        _log.warning("what a connection promises was not tried any more: %r", why)


async def _is_broken(
    deliveries: Deliveries, who: tuple[User, User, User], number: int, message: bytearray
) -> bool:
    """Whether a user who has come back misses what is sent at once.

    What did not come to the others either was not served at all, which is no matter of connecting.
    """
    returning, sender, other = who
    await returning.leave()
    await returning.connect()
    assert sender.link is not None
    now_ns = time.monotonic_ns()
    stamp_sent(message, now_ns, now_ns)
    await sender.link.broadcast(bytes(message))

    def came_to(user: User) -> bool:
        return deliveries.came(user.number, sender.number, number)

    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_ARRIVAL_S):
            while not all(map(came_to, who)):
                await asyncio.sleep(_POLL_S)
    return came_to(sender) and came_to(other) and not came_to(returning)
