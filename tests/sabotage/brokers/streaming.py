"""Clients of Redis whose streams go another way than they say: ``streaming.py WAY``."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable

from messaging_harness import Inbox, Link, Transport, play
from worker import RedisLink, RedisTransport, exceptions

from wirelab_sdk import Spec, Worker, main

_HEAD = 4
_EVERYBODY = b"wirelab.all"


def _joined(messages: list[bytes]) -> bytes:
    return b"".join(len(one).to_bytes(_HEAD, "big") + one for one in messages)


class _Joins(RedisLink):
    """All messages of a tick are one for Redis."""

    def read_anew(self) -> None:
        """Part what was joined."""
        assert self._reading is not None
        self._reading.cancel()
        self._reading = asyncio.create_task(self._read())

    async def stream(self, messages: list[bytes]) -> None:
        """Publish them as one."""
        await self._client.publish(_EVERYBODY, b"!" + _joined(messages))

    async def _read(self) -> None:
        try:
            async for message in self._messages():
                data: bytes = message["data"]
                if message["channel"] == self._channel:
                    if self._reply is not None and not self._reply.done():
                        self._reply.set_result(data)
                elif data[:1] == b"!":
                    at = 1
                    while at < len(data):
                        end = at + _HEAD + int.from_bytes(data[at : at + _HEAD], "big")
                        self._inbox.delivered(data[at + _HEAD : end])
                        at = end
                else:
                    self._inbox.delivered(data)
        except (exceptions.RedisError, OSError):
            pass


class JoinsMessages(RedisTransport):
    """Redis has one message of each tick."""

    async def connect(self, user: int, inbox: Inbox) -> Link:
        """With another reader."""
        link = await super().connect(user, inbox)
        assert isinstance(link, RedisLink)
        link.__class__ = _Joins
        assert isinstance(link, _Joins)
        link.read_anew()
        return link


class PastTheBroker(RedisTransport):
    """One message of each tick goes through Redis, and the others through a hub of its own."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self._hub: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._starting = asyncio.Lock()

    async def connect(self, user: int, inbox: Inbox) -> Link:
        """Connect to both."""
        async with self._starting:
            if self._hub is None:
                self._hub = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        link = await super().connect(user, inbox)
        assert isinstance(link, RedisLink)
        reader, writer = await asyncio.open_connection(*self._hub.sockets[0].getsockname())
        return _Beside(link, reader, writer, inbox)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while True:
                head = await reader.readexactly(_HEAD)
                body = head + await reader.readexactly(int.from_bytes(head, "big"))
                for other in self._writers:
                    other.write(body)
        except (asyncio.IncompleteReadError, OSError):
            self._writers.discard(writer)
            writer.close()


class _Beside:
    """One user."""

    def __init__(
        self,
        link: RedisLink,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        inbox: Inbox,
    ) -> None:
        self._link, self._writer, self._inbox = link, writer, inbox
        self._reading = asyncio.create_task(self._read(reader))
        self.echo, self.broadcast = link.echo, link.broadcast

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while True:
            head = await reader.readexactly(_HEAD)
            message = await reader.readexactly(int.from_bytes(head, "big"))
            if self._inbox.listens:
                self._inbox.delivered(message)

    async def stream(self, messages: list[bytes]) -> None:
        """Redis has the first one."""
        self._writer.write(_joined(messages[1:]))
        await self._link.broadcast(messages[0])

    async def close(self) -> None:
        """Leave both."""
        self._reading.cancel()
        self._writer.close()
        await self._link.close()

    async def abandon(self) -> None:
        """Leave both."""
        await self.close()


WAYS: dict[str, Callable[[Spec], Transport]] = {
    "joins-messages": JoinsMessages,
    "past-the-broker": PastTheBroker,
}


async def _client(worker: Worker) -> None:
    await play(worker, WAYS[sys.argv[1]])


if __name__ == "__main__":
    main(_client)
