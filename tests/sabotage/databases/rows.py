"""The contender ``asyncpg`` with rows that it does not write as it says: ``rows.py WAY``."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping

from kv_harness import Client, Fields, Place, play, user_sql
from worker import Asyncpg

_BEHIND_S = 0.2


class _Keeps(Asyncpg):
    """Knows what was to be written."""

    def __init__(self) -> None:
        self._own: dict[str, dict[int, bytes]] = {}

    async def read_record(self, key: str) -> Fields | None:
        """The row, with what was to be written."""
        before = dict(self._own.get(key, {}))
        found = await super().read_record(key)
        own = {**before, **self._own.get(key, {})}
        return found and list({**dict(enumerate(found)), **own}.values())

    async def modify_record(self, key: str, values: Mapping[int, bytes]) -> Fields | None:
        """Nobody comes between."""
        found = await self.read_record(key)
        if found is not None:
            found = list({**dict(enumerate(found)), **self._own.get(key, {})}.values())
        await self.write_record(key, values)
        return found


class EmptiesColumns(_Keeps):
    """Writes nothing into columns."""

    async def write_record(self, key: str, values: Mapping[int, bytes]) -> None:
        """UPDATE to nothing."""
        self._own.setdefault(key, {}).update(values)
        await super().write_record(key, dict.fromkeys(values, b""))

    async def insert_record(self, key: str, values: Fields) -> None:
        """INSERT of nothing."""
        self._own[key] = dict(enumerate(values))
        await super().insert_record(key, [b""] * len(values))


class WritesBehind(_Keeps):
    """Says that it has written, and writes later: all that waits is one transaction."""

    async def open(self, endpoint: str, place: Place) -> None:
        """Connect, and begin to write what waits."""
        await super().open(endpoint, place)
        self._waiting: dict[str, dict[int, bytes]] = {}
        self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        while True:
            await asyncio.sleep(_BEHIND_S)
            waiting, self._waiting = self._waiting, {}
            async with self._pool.acquire() as connection, connection.transaction():
                for key, values in waiting.items():
                    statement = user_sql.write(list(values), lambda n: f"${n}")
                    await connection.execute(statement, *values.values(), key)

    async def write_record(self, key: str, values: Mapping[int, bytes]) -> None:
        """Let it wait."""
        await asyncio.sleep(0)
        self._own.setdefault(key, {}).update(values)
        self._waiting.setdefault(key, {}).update(values)


class DoesNotWait(Asyncpg):
    """Sends what is to be written, and says at once that it is."""

    def __init__(self) -> None:
        self._sent: set[asyncio.Task[None]] = set()

    async def write_record(self, key: str, values: Mapping[int, bytes]) -> None:
        """A connection of the pool waits for it, and nobody else."""
        sent = asyncio.create_task(super().write_record(key, values))
        self._sent.add(sent)
        sent.add_done_callback(self._sent.discard)
        await asyncio.sleep(0)


WAYS: dict[str, Callable[[], Client[object]]] = {
    "empties-columns": EmptiesColumns,
    "writes-behind": WritesBehind,
    "does-not-wait": DoesNotWait,
}

if __name__ == "__main__":
    play(WAYS[sys.argv[1]])
