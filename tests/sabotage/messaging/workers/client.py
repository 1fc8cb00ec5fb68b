"""A client of the mailbox, which may answer what it should have asked."""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import Callable, Sequence

from messaging_harness import Inbox, Link
from wire import BROADCAST, DEAF, ECHO, framed, read

from wirelab_sdk import Failure, Spec, Status, explain

_SERVED_AT = 24


class MailboxTransport:
    """A connection for each user."""

    library = ("mailbox", "1.0")
    reconnects_itself = False

    def __init__(
        self, spec: Spec, sabotage: str = "", link: type[MailboxLink] | None = None
    ) -> None:
        host, _, port = spec.endpoints["server"].partition(":")
        self._address = host, int(port)
        self._invented = _ANSWERS.get(sabotage)
        self._link = link or MailboxLink
        self.at_home: list[Inbox] = []
        """Everybody, for who need not be told by a server."""

    async def connect(self, user: int, inbox: Inbox) -> Link:
        """Connect."""
        del user
        streams = await asyncio.open_connection(*self._address)
        self.at_home.append(inbox)
        if not inbox.listens:
            streams[1].write(framed(DEAF, b""))
        link = self._link(*streams, inbox, self._invented)
        link.at_home = self.at_home
        return link

    def explain(self, error: BaseException) -> Failure:
        """Python's own exceptions."""
        if isinstance(error, asyncio.IncompleteReadError):
            return Failure(Status.DISCONNECTED, type(error).__name__, "", str(error))
        return explain(error)

    async def close(self) -> None:
        """Users share nothing."""


class MailboxLink:
    """One user."""

    at_home: Sequence[Inbox] = ()
    """Inboxes of all users."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        inbox: Inbox,
        invented: Callable[[bytes], bytes] | None,
    ) -> None:
        self.writer = writer
        self.inbox = inbox
        self._invented = invented
        self._echoes = 0
        self._reply: asyncio.Future[bytes] | None = None
        self._reading = asyncio.create_task(self._read(reader))

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while True:
                kind, message = await read(reader)
                if kind == BROADCAST:
                    self.delivered(message)
                elif self._reply is not None and not self._reply.done():
                    self._reply.set_result(message)
        except (asyncio.IncompleteReadError, ConnectionError) as lost:
            if self._reply is not None and not self._reply.done():
                self._reply.set_exception(lost)

    def delivered(self, message: bytes) -> None:
        """Hand over what the server has told."""
        self.inbox.delivered(message)

    async def echo(self, message: bytes) -> bytes:
        """Ask; or, once connected and checked, invent the answer."""
        self._echoes += 1
        if self._invented is not None and self._echoes > 2:
            return self._invented(message)
        self._reply = asyncio.get_running_loop().create_future()
        self.writer.write(framed(ECHO, message))
        return await self._reply

    async def broadcast(self, message: bytes) -> None:
        """Tell everybody."""
        self.writer.write(framed(BROADCAST, message))
        await self.writer.drain()

    async def close(self) -> None:
        """Hang up."""
        self._reading.cancel()
        self.writer.close()

    async def abandon(self) -> None:
        """Hang up."""
        await self.close()


def _copy(message: bytes) -> bytes:
    return message


def _forged(message: bytes) -> bytes:
    """With the time at which a server would have answered."""
    answer = bytearray(message)
    struct.pack_into("<Q", answer, _SERVED_AT, time.monotonic_ns())
    return bytes(answer)


_ANSWERS = {"answers-itself": _copy, "forges-answers": _forged}
