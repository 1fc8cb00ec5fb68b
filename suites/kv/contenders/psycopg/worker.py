"""The contender ``psycopg``: psycopg 3 on asyncio, with its pool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

import psycopg
from kv_harness import Client, Fields, Key, Place, Row, Spans, awaited_read, play, user_sql
from kv_harness.tables import FoundRows, Select, select
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from wirelab_sdk import Failure, Status, explain

_SHARE = 0.9


class Psycopg:
    """A read takes a connection out of the pool, or waits for one."""

    library = ("psycopg", version("psycopg"))
    whole_records = False
    _pool: AsyncConnectionPool[Any]

    async def open(self, endpoint: str, place: Place) -> None:
        """Connect all of the pool."""
        size = place.connections
        self._pool = AsyncConnectionPool(
            endpoint,
            min_size=size,
            max_size=size,
            timeout=place.limit_s,
            open=False,
            # Each statement is a transaction: nothing to begin and to commit.
            kwargs={"autocommit": True},
        )
        try:
            # Within the time of the call that may wait for it, so that its words are heard.
            await self._pool.open(wait=True, timeout=place.limit_s * _SHARE)
        except BaseException:
            await self._pool.close()
            raise

    def prepare(self, keys: Sequence[Key]) -> Select:
        """One statement a multi-get. The library prepares it when it has seen it five times."""
        return select(keys, lambda _n: "%s")

    async def read(self, prepared: Select, spans: Spans | None = None) -> list[Row | None]:
        """Binary results: the library then reads no numbers out of text."""
        return await awaited_read(self.fetch(prepared), self.convert, spans)

    async def fetch(self, prepared: Select) -> FoundRows:
        """The call alone."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(prepared.text, prepared.arrays, binary=True)
            return FoundRows(prepared, await cursor.fetchall())

    def convert(self, fetched: FoundRows) -> list[Row | None]:
        """Rows in the order asked."""
        return fetched.asked.in_order(fetched.rows)

    async def read_record(self, key: str) -> Fields | None:
        """A column has each field."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(user_sql.read(_at), [key], binary=True)
            row = await cursor.fetchone()
        return None if row is None else list(row)

    async def write_record(self, key: str, values: Mapping[int, bytes]) -> None:
        """The cursor knows how many rows the statement has changed."""
        statement = user_sql.write(list(values), _at)
        async with self._pool.connection() as connection:
            cursor = await connection.execute(statement, [*values.values(), key])
        if cursor.rowcount != 1:
            raise NotStoredError(f"the update changed {cursor.rowcount} rows, not 1")

    async def insert_record(self, key: str, values: Fields) -> None:
        """The primary key refuses a second one."""
        async with self._pool.connection() as connection:
            await connection.execute(user_sql.insert(_at), [key, *values])

    async def scan_records(self, key: str, most: int) -> Sequence[Fields]:
        """In the order of the primary key."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(user_sql.scan(_at), [key, most], binary=True)
            return [list(row) for row in await cursor.fetchall()]

    async def modify_record(self, key: str, values: Mapping[int, bytes]) -> Fields | None:
        """A transaction; its SELECT locks the row until it ends."""
        async with self._pool.connection() as connection, connection.transaction():
            cursor = await connection.execute(user_sql.read_to_change(_at), [key], binary=True)
            row = await cursor.fetchone()
            statement = user_sql.write(list(values), _at)
            await connection.execute(statement, [*values.values(), key])
        return None if row is None else list(row)

    def explain(self, error: BaseException) -> Failure:
        """The library has exceptions of its own for what Python has names for."""
        status = explain(error).status
        code = ""
        if isinstance(error, PoolTimeout):
            status = Status.TIMEOUT
        elif isinstance(error, psycopg.OperationalError):
            status = Status.DISCONNECTED
        if isinstance(error, psycopg.Error):
            code = error.sqlstate or ""
        return Failure(status, type(error).__name__, code, str(error))

    async def close(self) -> None:
        """Give the connections back."""
        await self._pool.close()


def _at(_n: int) -> str:
    return "%s"


class NotStoredError(Exception):
    """A statement that changed another number of rows than one."""


def make() -> Client[Select]:
    """A client that is not connected yet."""
    return Psycopg()


if __name__ == "__main__":
    play(make)
