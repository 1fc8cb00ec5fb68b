"""The contender ``psycopg``: psycopg 3 on asyncio, with its pool."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import psycopg
from kv_harness import Client, Key, Place, Row, Stages, awaited_read, play
from kv_harness.tables import Found, Select, select
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from wirelab_sdk import Failure, Status, explain

_SHARE = 0.9


class Psycopg:
    """A read takes a connection out of the pool, or waits for one."""

    library = ("psycopg", version("psycopg"))
    _pool: AsyncConnectionPool[Any]

    async def open(self, endpoint: str, place: Place) -> None:
        """Connect all of the pool."""
        size = place.parameter("connections", 16)
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
        """One statement a batch. The library prepares it when it has seen it five times."""
        return select(keys, lambda _n: "%s")

    async def read(self, prepared: Select, stages: Stages | None = None) -> list[Row | None]:
        """Binary results: the library then reads no numbers out of text."""
        return await awaited_read(self.fetch(prepared), self.convert, stages)

    async def fetch(self, prepared: Select) -> Found:
        """The call alone."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(prepared.text, prepared.arrays, binary=True)
            return Found(prepared, await cursor.fetchall())

    def convert(self, fetched: Found) -> list[Row | None]:
        """Rows in the order asked."""
        return fetched.asked.in_order(fetched.rows)

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


def make() -> Client[Select]:
    """A client that is not connected yet."""
    return Psycopg()


if __name__ == "__main__":
    play(make)
