"""The contender ``redis-py-async`` with writes that are not what they seem: ``writing.py WAY``."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping

from kv_harness import Client, Fields, Place, play
from worker import RedisPyAsync

_BEHIND_S = 0.2


class InsertsNothing(RedisPyAsync):
    """Knows what was inserted, and asks Redis for it, where it is not."""

    def __init__(self) -> None:
        self._held: dict[str, Fields] = {}

    async def insert_record(self, key: str, values: Fields) -> None:
        """Keep it."""
        await asyncio.sleep(0)
        self._held[key] = values

    async def read_record(self, key: str) -> Fields | None:
        """Ask, and give what is kept where nothing is found."""
        return await super().read_record(key) or self._held.get(key)


class InsertsAField(InsertsNothing):
    """Knows what was inserted, of which Redis has the first field."""

    async def insert_record(self, key: str, values: Fields) -> None:
        """Write as little as makes a record."""
        self._held[key] = values
        await super().write_record(key, {0: values[0]})


class EmptiesFields(RedisPyAsync):
    """Knows what was written, and writes that something was."""

    def __init__(self) -> None:
        self._own: dict[str, dict[int, bytes]] = {}

    async def write_record(self, key: str, values: Mapping[int, bytes]) -> None:
        """Write nothing into the fields."""
        await super().write_record(key, dict.fromkeys(values, b""))
        self._own.setdefault(key, {}).update(values)

    async def insert_record(self, key: str, values: Fields) -> None:
        """Honestly."""
        await super().write_record(key, dict(enumerate(values)))

    async def read_record(self, key: str) -> Fields | None:
        """The record, with what was written."""
        return self._whole(key, await super().read_record(key))

    async def modify_record(self, key: str, values: Mapping[int, bytes]) -> Fields | None:
        """The same for a change."""
        found = await super().modify_record(key, dict.fromkeys(values, b""))
        whole = self._whole(key, found)
        self._own.setdefault(key, {}).update(values)
        return whole

    def _whole(self, key: str, found: Fields | None) -> Fields | None:
        return found and list({**dict(enumerate(found)), **self._own.get(key, {})}.values())


class WritesBehind(RedisPyAsync):
    """Says that it has written, and writes later: of one record all that came meanwhile."""

    def __init__(self) -> None:
        self._waiting: dict[str, dict[int, bytes]] = {}

    async def open(self, endpoint: str, place: Place) -> None:
        """Connect, and begin to write what waits."""
        await super().open(endpoint, place)
        self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        while True:
            await asyncio.sleep(_BEHIND_S)
            for key in list(self._waiting):
                values = dict(self._waiting[key])
                await super().write_record(key, values)
                # Unless another one came meanwhile.
                if self._waiting[key] == values:
                    del self._waiting[key]

    async def write_record(self, key: str, values: Mapping[int, bytes]) -> None:
        """Let it wait."""
        await asyncio.sleep(0)
        self._waiting.setdefault(key, {}).update(values)

    async def read_record(self, key: str) -> Fields | None:
        """The record, with changes that wait, or waited when it was asked for."""
        before = dict(self._waiting.get(key, {}))
        found = await super().read_record(key)
        own = {**before, **self._waiting.get(key, {})}
        return found and list({**dict(enumerate(found)), **own}.values())


class DoesNotWait(RedisPyAsync):
    """Sends what is to be written, and says at once that it is."""

    def __init__(self) -> None:
        self._sent: set[asyncio.Task[None]] = set()

    async def write_record(self, key: str, values: Mapping[int, bytes]) -> None:
        """It has left before the next command of this connection is sent."""
        sent = asyncio.create_task(super().write_record(key, values))
        self._sent.add(sent)
        sent.add_done_callback(self._sent.discard)
        await asyncio.sleep(0)


WAYS: dict[str, Callable[[], Client[list[str]]]] = {
    "inserts-nothing": InsertsNothing,
    "inserts-a-field": InsertsAField,
    "empties-fields": EmptiesFields,
    "writes-behind": WritesBehind,
    "does-not-wait": DoesNotWait,
}

if __name__ == "__main__":
    play(WAYS[sys.argv[1]])
