"""Databases as a client that cheats may ask them."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from typing import Any, Protocol
from urllib.parse import urlsplit

import aerospike
import asyncpg
from kv_harness import Key, Row, host_and_port
from kv_harness.data import BINS
from kv_harness.packed import names_of, unpacked
from kv_harness.tables import select
from redis.asyncio import BlockingConnectionPool
from redis.asyncio import Redis as RedisClient

Rows = list[Row | None]
Batch = tuple[Key, ...]

_CONNECTIONS = 16


class Store(Protocol):
    """A database that answers."""

    async def open(self, endpoint: str) -> None:
        """Connect."""

    async def ask(self, batch: Batch) -> Rows:
        """The rows of a batch."""


class Redis:
    """Records as strings."""

    library = ("redis-py", version("redis"))

    async def open(self, endpoint: str) -> None:
        """Connect once."""
        pool = BlockingConnectionPool.from_url(endpoint, max_connections=_CONNECTIONS)
        self._client = RedisClient.from_pool(pool)
        await self._client.ping()

    async def ask(self, batch: Batch) -> Rows:
        """MGET."""
        return unpacked(await self._client.mget(names_of(batch)))


class Postgres:
    """Records in tables."""

    async def open(self, endpoint: str) -> None:
        """Connect all of the pool."""
        self._pool = await asyncpg.create_pool(
            endpoint, min_size=_CONNECTIONS, max_size=_CONNECTIONS
        )

    async def ask(self, batch: Batch) -> Rows:
        """SELECT of the keys of an array."""
        asked = select(batch, lambda n: f"${n}")
        return asked.in_order(await self._pool.fetch(asked.text, *asked.arrays))


class Bench:
    """Records on the nodes of the bench server, by Aerospike's own client."""

    async def open(self, endpoint: str) -> None:
        """Connect, which blocks."""
        config = {"hosts": [host_and_port(endpoint)]}
        self._client: Any = await asyncio.to_thread(lambda: aerospike.client(config).connect())

    async def ask(self, batch: Batch) -> Rows:
        """One batch read, in a thread."""
        keys = [("wirelab", f"set_{chosen}", key) for chosen, key in batch]
        found = await asyncio.to_thread(self._client.batch_read, keys)
        return [
            None if one.record is None or one.result else tuple(one.record[2][bin] for bin in BINS)
            for one in found.batch_records
        ]


class Unheard:
    """A connection to a Redis whose answers nobody looks at."""

    async def open(self, endpoint: str) -> None:
        """Connect, and pass over what comes."""
        address = urlsplit(endpoint)
        reader, self._writer = await asyncio.open_connection(address.hostname, address.port)
        self._listener = asyncio.create_task(_pass_over(reader))

    def ask(self, batch: Batch) -> None:
        """MGET, and no wait for what it brings."""
        words = ("MGET", *names_of(batch))
        command = "".join(f"${len(word)}\r\n{word}\r\n" for word in words)
        self._writer.write(f"*{len(words)}\r\n{command}".encode())


async def _pass_over(reader: asyncio.StreamReader) -> None:
    while await reader.read(1 << 16):
        pass


def store_at(endpoint: str) -> Store:
    """The database that is there."""
    if "://" not in endpoint:
        return Bench()
    return Postgres() if endpoint.startswith("postgresql:") else Redis()
