"""One user: its link, made again after it was lost."""

from __future__ import annotations

import asyncio
import contextlib

from messaging_harness.messages import HEADER, whole
from messaging_harness.place import WorkerSetup
from messaging_harness.transport import Link
from wirelab_sdk import Status

_LOST = (Status.DISCONNECTED, Status.REFUSED)


class User:
    """For one task at a time."""

    def __init__(self, number: int, place: WorkerSetup) -> None:
        self.number = number
        self._place = place
        self.listens = place.broadcasts and number < place.receivers
        """Whether it gets what is broadcast."""
        self._hellos = 0
        self._leaving: set[asyncio.Task[None]] = set()
        self.link: Link | None = None
        """The link of the moment, if it has one."""

    def delivered(self, message: bytes) -> None:
        """Take what is broadcast to this user; who does not listen should have got nothing."""
        self._place.deliveries.delivered(self.number, whole(message), listens=self.listens)

    async def connect(self) -> Link:
        """Connect; a connection that is not served is none: the first answer makes it one."""
        link = await self._place.transport.connect(self.number, self)
        number, self._hellos = self._hellos, self._hellos + 1
        hello = self._place.messages.compose(self.number, number, HEADER)
        try:
            answer = whole(await link.echo(bytes(hello)))
            if not self._place.messages.is_intact(answer, self.number, number, HEADER):
                raise ConnectionError("the first answer is not what was asked for")
        except BaseException:
            await link.close()
            raise
        self.link = link
        return link

    def note(self, error: Exception) -> None:
        """Leave a connection that a call has lost, where the library does not make it again."""
        transport = self._place.transport
        if transport.reconnects_itself or transport.explain(error).status not in _LOST:
            return
        # Nobody waits for it: the time of the call is over.
        task = asyncio.create_task(self.leave())
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    async def leave(self) -> None:
        """Leave."""
        link, self.link = self.link, None
        if link is not None:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(self._place.limit_s):
                    await link.close()

    async def abandon(self) -> None:
        """Leave as a killed process does."""
        link, self.link = self.link, None
        if link is not None:
            await link.abandon()
