"""The contender ``asyncpg`` with rows that it does not write as it says: ``rows.py WAY``."""

from __future__ import annotations

import asyncio
import bisect
import sys
from collections.abc import Callable, Mapping, Sequence

from kv_harness import Client, Fields, Place, play, user_sql
from kv_harness.user_table import FIELDS, name_of_user, number_of, value
from worker import Asyncpg

_BEHIND_S = 0.2
_HONEST_SCANS = 8
"""Scans before what only happens in the load begins."""


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


class RollsBack(_Keeps):
    """Writes everything, and has PostgreSQL forget it: no transaction is ever committed."""

    async def _in_vain(self, statement: str, *arguments: object) -> None:
        async with self._pool.acquire() as connection:
            transaction = connection.transaction()
            await transaction.start()
            await connection.execute(statement, *arguments)
            await transaction.rollback()

    async def write_record(self, key: str, values: Mapping[int, bytes]) -> None:
        """Know it, and UPDATE."""
        self._own.setdefault(key, {}).update(values)
        statement = user_sql.write(list(values), lambda n: f"${n}")
        await self._in_vain(statement, *values.values(), key)

    async def insert_record(self, key: str, values: Fields) -> None:
        """Know it, and INSERT."""
        self._own[key] = dict(enumerate(values))
        await self._in_vain(user_sql.insert(lambda n: f"${n}"), key, *values)

    async def read_record(self, key: str) -> Fields | None:
        """The row, or all of what is known where there is none."""
        found = await super().read_record(key)
        return found or list(self._own[key].values())


class MakesUpScans(Asyncpg):
    """Has as many bytes sent as a scan brings, and makes up the records: their keys follow from
    their numbers, and so does where each begins.
    """

    async def open(self, endpoint: str, place: Place) -> None:
        """Connect, and sort the keys of all that was loaded."""
        await super().open(endpoint, place)
        self._scans = 0
        numbers = range(place.parameter("records", 0))
        self._keys = sorted((name_of_user(number), number) for number in numbers)

    async def insert_record(self, key: str, values: Fields) -> None:
        """Honestly, and remember where it is."""
        await super().insert_record(key, values)
        bisect.insort(self._keys, (key, number_of(values[0]) or 0))

    async def scan_records(self, key: str, most: int) -> Sequence[Fields]:
        """Rows of letters, without a table."""
        self._scans += 1
        if self._scans <= _HONEST_SCANS:
            return await super().scan_records(key, most)
        begin = bisect.bisect_left(self._keys, (key, 0))
        there = self._keys[begin : begin + most]
        letters = ", ".join(["repeat('x', 100)::bytea"] * FIELDS)
        await self._pool.fetch(f"SELECT {letters} FROM generate_series(1, $1)", len(there))
        return [[value(number, each, 0) for each in range(FIELDS)] for _, number in there]


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
    "rolls-back": RollsBack,
    "makes-up-scans": MakesUpScans,
    "does-not-wait": DoesNotWait,
}

if __name__ == "__main__":
    play(WAYS[sys.argv[1]])
