"""The contender ``aiomcache``: memcached on asyncio."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import NamedTuple

import aiomcache
from kv_harness import (
    Client,
    Fields,
    Key,
    Place,
    Row,
    Spans,
    awaited_read,
    host_and_port,
    play,
)
from kv_harness.packed import joined, names_of, parted, unpacked

from wirelab_sdk import Failure, explain


class Names(NamedTuple):
    """Names in the order asked, and each of them once: the library refuses repeated ones."""

    asked: list[bytes]
    distinct: list[bytes]


class Values(NamedTuple):
    """Values that the library gave for the distinct names."""

    names: Names
    values: Sequence[bytes | None]


class Aiomcache:
    """One client for all tasks: a read takes a connection out of its pool, or waits for one."""

    library = ("aiomcache", version("aiomcache"))
    whole_records = True
    _client: aiomcache.Client

    async def open(self, endpoint: str, place: Place) -> None:
        """Connect once, so that a server that is not there is known now."""
        host, port = host_and_port(endpoint)
        size = place.connections
        self._client = aiomcache.Client(host, port, pool_size=size, pool_minsize=size)
        await self._client.version()

    def prepare(self, keys: Sequence[Key]) -> Names:
        """memcached has no sets of keys: their names tell them apart, so one call asks for all."""
        asked = [name.encode() for name in names_of(keys)]
        return Names(asked, list(dict.fromkeys(asked)))

    async def read(self, prepared: Names, spans: Spans | None = None) -> list[Row | None]:
        """The library answers in the order of the distinct names."""
        return await awaited_read(self.fetch(prepared), self.convert, spans)

    async def fetch(self, prepared: Names) -> Values:
        """The call alone."""
        return Values(prepared, await self._client.multi_get(*prepared.distinct))

    def convert(self, fetched: Values) -> list[Row | None]:
        """As often as it was asked for."""
        names, values = fetched
        if len(values) == len(names.asked):
            return unpacked(values)
        found = dict(zip(names.distinct, unpacked(values), strict=True))
        return [found[name] for name in names.asked]

    async def read_record(self, key: str) -> Fields | None:
        """The fields follow one another in the value."""
        return parted(await self._client.get(key.encode()))

    async def write_record(self, key: str, values: Mapping[int, bytes]) -> None:
        """The library says whether the server took it."""
        if not await self._client.replace(key.encode(), joined(values)):
            raise NotStoredError(key)

    async def insert_record(self, key: str, values: Fields) -> None:
        """Insert a record where there is none yet."""
        if not await self._client.add(key.encode(), b"".join(values)):
            raise NotStoredError(key)

    async def modify_record(self, key: str, values: Mapping[int, bytes]) -> Fields | None:
        """The token that comes with a value is its version."""
        name = key.encode()
        while True:
            found, token = await self._client.gets(name)
            if found is None or token is None:
                return None
            if await self._client.cas(name, joined(values), token):
                return parted(found)

    def explain(self, error: BaseException) -> Failure:
        """Lost connections have Python's own names."""
        return explain(error)

    async def close(self) -> None:
        """Give the connections back."""
        await self._client.close()


class NotStoredError(Exception):
    """A record that the server did not take."""


def make() -> Client[Names]:
    """A client that is not connected yet."""
    return Aiomcache()


if __name__ == "__main__":
    play(make)
