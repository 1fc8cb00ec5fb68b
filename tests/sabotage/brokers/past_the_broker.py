"""Clients of Redis that carry their echoes on a connection of their own, past the broker:
``past_the_broker.py WAY``.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable

from messaging_harness import Inbox, Link, play
from redis.asyncio import Redis
from worker import RedisTransport

from wirelab_sdk import Spec, Worker, main

_HONEST_ECHOES = 2
"""The first answer of a connection, and that of the preflight."""


class PastTheBroker(RedisTransport):
    """Connected to Redis, as it says."""

    async def connect(self, user: int, inbox: Inbox) -> Link:
        """Connect to Redis, and to oneself."""
        link = await super().connect(user, inbox)
        server = await asyncio.start_server(_reflect, "127.0.0.1", 0)
        streams = await asyncio.open_connection(*server.sockets[0].getsockname())
        return _Shortcut(link, server, streams, self.tell)

    def tell(self) -> None:
        """Redis is told nothing of an echo."""


class PublishesEmpties(PastTheBroker):
    """Publishes an empty message for each echo, to nobody."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self._redis = Redis.from_url(spec.endpoints["server"])
        self._told: set[asyncio.Task[object]] = set()

    def tell(self) -> None:
        """Nobody waits for it."""
        told = asyncio.ensure_future(self._redis.publish("wirelab.nobody", b""))
        self._told.add(told)
        told.add_done_callback(self._told.discard)

    async def close(self) -> None:
        """Leave Redis."""
        await self._redis.aclose()
        await super().close()


class _Shortcut:
    """One user, who speaks to Redis no more than it has to."""

    def __init__(
        self,
        link: Link,
        server: asyncio.Server,
        streams: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        tell: Callable[[], None],
    ) -> None:
        self._link, self._server, self._tell = link, server, tell
        self._reader, self._writer = streams
        self._echoes = 0
        self.broadcast = link.broadcast

    async def echo(self, message: bytes) -> bytes:
        """Bring it back by another way."""
        self._echoes += 1
        if self._echoes <= _HONEST_ECHOES:
            return await self._link.echo(message)
        self._writer.write(message)
        self._tell()
        return await self._reader.readexactly(len(message))

    async def close(self) -> None:
        """Leave both."""
        self._writer.close()
        self._server.close()
        await self._link.close()

    async def abandon(self) -> None:
        """Leave both."""
        await self.close()


async def _reflect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(1 << 16):
        writer.write(data)
    writer.close()


WAYS: dict[str, Callable[[Spec], PastTheBroker]] = {
    "past-the-broker": PastTheBroker,
    "publishes-empties": PublishesEmpties,
}


async def _client(worker: Worker) -> None:
    await play(worker, WAYS[sys.argv[1]])


if __name__ == "__main__":
    main(_client)
