"""The contender ``asyncpg``: PostgreSQL on asyncio, with its pool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version

import asyncpg
from kv_harness import Client, Fields, Key, Place, Row, Spans, awaited_read, play, user_sql
from kv_harness.tables import FoundRows, Select, select

from wirelab_sdk import Failure, Status, explain


class Asyncpg:
    """A read takes a connection out of the pool, or waits for one."""

    library = ("asyncpg", version("asyncpg"))
    whole_records = False
    _pool: asyncpg.Pool

    async def open(self, endpoint: str, place: Place) -> None:
        """Connect all of the pool."""
        size = place.connections
        self._pool = await asyncpg.create_pool(
            endpoint, min_size=size, max_size=size, command_timeout=place.limit_s
        )

    def prepare(self, keys: Sequence[Key]) -> Select:
        """One statement a multi-get. The library prepares each text once a connection."""
        return select(keys, lambda n: f"${n}")

    async def read(self, prepared: Select, spans: Spans | None = None) -> list[Row | None]:
        """The pool asks the server to reset a connection before it is used again."""
        return await awaited_read(self.fetch(prepared), self.convert, spans)

    async def fetch(self, prepared: Select) -> FoundRows:
        """The call alone."""
        return FoundRows(prepared, await self._pool.fetch(prepared.text, *prepared.arrays))

    def convert(self, fetched: FoundRows) -> list[Row | None]:
        """Rows in the order asked."""
        return fetched.asked.in_order(fetched.rows)

    async def read_record(self, key: str) -> Fields | None:
        """A column has each field."""
        row = await self._pool.fetchrow(user_sql.read(_at), key)
        return None if row is None else list(row)

    async def write_record(self, key: str, values: Mapping[int, bytes]) -> None:
        """The library says how many rows the statement has changed."""
        statement = user_sql.write(list(values), _at)
        if (said := await self._pool.execute(statement, *values.values(), key)) != "UPDATE 1":
            raise NotStoredError(said)

    async def insert_record(self, key: str, values: Fields) -> None:
        """The primary key refuses a second one."""
        await self._pool.execute(user_sql.insert(_at), key, *values)

    async def scan_records(self, key: str, most: int) -> Sequence[Fields]:
        """In the order of the primary key."""
        return [list(row) for row in await self._pool.fetch(user_sql.scan(_at), key, most)]

    async def modify_record(self, key: str, values: Mapping[int, bytes]) -> Fields | None:
        """A transaction; its SELECT locks the row until it ends."""
        async with self._pool.acquire() as connection, connection.transaction():
            row = await connection.fetchrow(user_sql.read_to_change(_at), key)
            statement = user_sql.write(list(values), _at)
            await connection.execute(statement, *values.values(), key)
        return None if row is None else list(row)

    def explain(self, error: BaseException) -> Failure:
        """The library has exceptions of its own for what Python has names for."""
        words = explain(error)
        lost = asyncpg.PostgresConnectionError | asyncpg.InterfaceError
        if isinstance(error, lost | asyncpg.OperatorInterventionError):
            words = words._replace(status=Status.DISCONNECTED)
        return words._replace(status_name=getattr(error, "sqlstate", None) or "")

    async def close(self) -> None:
        """Give the connections back."""
        await self._pool.close()


def _at(n: int) -> str:
    return f"${n}"


class NotStoredError(Exception):
    """A statement that changed another number of rows than one."""


def make() -> Client[Select]:
    """A client that is not connected yet."""
    return Asyncpg()


if __name__ == "__main__":
    play(make)
