"""The contender ``aiomcache``, which does not write or read whole values: ``values.py WAY``."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping

from kv_harness import Client, Fields, Place, host_and_port, play
from kv_harness.packed import joined
from worker import Aiomcache


class AsksForTheVersion(Aiomcache):
    """Keeps values with the tokens of their versions, and asks for a token alone: what it gives is
    always right.
    """

    def __init__(self) -> None:
        self._kept: dict[str, tuple[bytes, Fields]] = {}
        self._turn = asyncio.Lock()

    async def open(self, endpoint: str, place: Place) -> None:
        """Connect once more, for a command that the library does not have."""
        await super().open(endpoint, place)
        host, port = host_and_port(endpoint)
        self._reader, self._writer = await asyncio.open_connection(host, port)

    async def read_record(self, key: str) -> Fields | None:
        """Kept, where its version is still the same."""
        token = await self._token(key)
        kept = self._kept.get(key)
        if kept is None or kept[0] != token:
            found = await super().read_record(key)
            if found is None or await self._token(key) != token:
                return found
            kept = self._kept[key] = (token, found)
        return kept[1]

    async def _token(self, key: str) -> bytes:
        async with self._turn:
            self._writer.write(f"mg {key} c\r\n".encode())
            return await self._reader.readline()


class EmptiesValues(Aiomcache):
    """Writes nothing into records, and knows what was to be written."""

    def __init__(self) -> None:
        self._own: dict[str, bytes] = {}

    async def write_record(self, key: str, values: Mapping[int, bytes]) -> None:
        """A record without anything in it."""
        await self._client.replace(key.encode(), b"-")
        self._own[key] = joined(values)

    async def insert_record(self, key: str, values: Fields) -> None:
        """The same."""
        await self._client.add(key.encode(), b"-")
        self._own[key] = b"".join(values)

    async def read_record(self, key: str) -> Fields | None:
        """Ask, and give what is kept."""
        found = await super().read_record(key)
        return self._parted(key) if key in self._own else found

    async def modify_record(self, key: str, values: Mapping[int, bytes]) -> Fields | None:
        """Both."""
        found = await self.read_record(key)
        await self.write_record(key, values)
        return found

    def _parted(self, key: str) -> Fields:
        value = self._own[key]
        return [value[at : at + 100] for at in range(0, len(value), 100)]


class StoresInVain(EmptiesValues):
    """Has memcached refuse what it writes: there is a record of that name already."""

    async def write_record(self, key: str, values: Mapping[int, bytes]) -> None:
        """`add` is for new records."""
        await self._client.add(key.encode(), b"-")
        self._own[key] = joined(values)


WAYS: dict[str, Callable[[], Client[object]]] = {
    "asks-for-the-version": AsksForTheVersion,
    "empties-values": EmptiesValues,
    "stores-in-vain": StoresInVain,
}

if __name__ == "__main__":
    play(WAYS[sys.argv[1]])
