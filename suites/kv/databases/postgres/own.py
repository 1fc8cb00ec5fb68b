"""The stand-in ``own-postgres``: a PostgreSQL of the user's own, with the suite's records."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
from kv_harness.data import BINS, SETS, records
from worker import SCHEMA, fill_table

from wirelab_sdk import Spec
from wirelab_sdk.own_server import OwnServer, OwnServerError, OwnTarget, play

_MARK = "written by wirelab: removed after the run"
# A server tells of what a connection did when that has ended, or once a second.
_STATISTICS_S = 1.0


class OwnPostgres(OwnServer):
    """A table for each set, in a schema of our name."""

    name = "PostgreSQL"
    counts = "pg_stat_user_tables: seq_scan + idx_scan"
    lies = f"as tables set_1 to set_9 in the schema {SCHEMA}"

    def __init__(self, spec: Spec, target: OwnTarget) -> None:
        super().__init__(target)
        self._universe = spec.parameter("universe", 10_000)
        self._database = spec.parameter("database", "postgres")

    async def version(self) -> str:
        """As the server names itself to a client."""
        async with self._connected() as connection:
            return str(await connection.fetchval("SHOW server_version")).split(" ")[0]

    @property
    def endpoint(self) -> str:
        """A URL of the client libraries."""
        return f"postgresql://{self.login.placeholder}{self.address}/{self._database}"

    async def requests(self) -> int:
        """Scans of our tables by everybody."""
        await asyncio.sleep(_STATISTICS_S)
        async with self._connected() as connection:
            scans = await connection.fetchval(
                "SELECT sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0)) "
                "FROM pg_stat_user_tables WHERE schemaname = $1",
                SCHEMA,
            )
        return int(scans or 0)

    async def missing(self) -> int:
        """Records that are not there, of all sets."""
        count = 0
        async with self._connected() as connection:
            for chosen in SETS:
                wanted = {row[0]: row for row in records(chosen, self._universe).rows()}
                if await self._exists(connection, chosen):
                    count += len(wanted.keys() - await self._held(connection, chosen, wanted))
                else:
                    # The table of a set without records is asked as well.
                    count += max(1, len(wanted))
        return count

    async def fill(self) -> int:
        """Tables that are not there; what a run that was killed has left is made anew."""
        await self.remove()
        written = 0
        async with self._connected() as connection:
            await connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
            for chosen in SETS:
                if not await self._exists(connection, chosen):
                    async with connection.transaction():
                        await fill_table(connection, chosen, self._universe)
                        await connection.execute(
                            f"COMMENT ON TABLE {SCHEMA}.set_{chosen} IS '{_MARK}'"
                        )
                    await connection.execute(f"ANALYZE {SCHEMA}.set_{chosen}")
                    written += len(records(chosen, self._universe).keys)
        return written

    async def remove(self) -> int:
        """Drop the tables that bear our mark, and the schema when it is empty then."""
        removed = 0
        async with self._connected() as connection:
            for chosen in SETS:
                table = f"{SCHEMA}.set_{chosen}"
                if await self._is_ours(connection, chosen):
                    removed += int(await connection.fetchval(f"SELECT count(*) FROM {table}"))
                    await connection.execute(f"DROP TABLE {table}")
            left = "SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace($1)"
            if await connection.fetchval("SELECT to_regnamespace($1) IS NOT NULL", SCHEMA) and not (
                await connection.fetchval(left, SCHEMA)
            ):
                # Anything else in it keeps it: the server refuses then.
                await connection.execute(f"DROP SCHEMA {SCHEMA} RESTRICT")
        return removed

    async def _held(
        self, connection: asyncpg.Connection, chosen: int, wanted: dict[object, tuple[object, ...]]
    ) -> set[object]:
        columns = ", ".join(BINS)
        rows = await connection.fetch(f"SELECT key, {columns} FROM {SCHEMA}.set_{chosen}")
        for row in rows:
            if wanted.get(row["key"]) != tuple(row):
                if await self._is_ours(connection, chosen):
                    return set()
                raise OwnServerError(
                    f"{SCHEMA}.set_{chosen} on the PostgreSQL at {self.address} holds rows that "
                    "are not wirelab's: it was left as it is, and nothing was measured"
                )
        return {row["key"] for row in rows}

    async def _is_ours(self, connection: asyncpg.Connection, chosen: int) -> bool:
        said = "SELECT obj_description(to_regclass($1), 'pg_class')"
        return bool(await connection.fetchval(said, f"{SCHEMA}.set_{chosen}") == _MARK)

    async def _exists(self, connection: asyncpg.Connection, chosen: int) -> bool:
        there = await connection.fetchval(
            "SELECT to_regclass($1) IS NOT NULL", f"{SCHEMA}.set_{chosen}"
        )
        return bool(there)

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[asyncpg.Connection]:
        try:
            connection = await asyncpg.connect(
                host=self.host,
                port=self.port,
                user=self.login.user or None,
                password=self.login.password or None,
                database=self._database,
            )
        except asyncpg.PostgresError as error:
            raise OwnServerError(f"your PostgreSQL refuses: {error}") from error
        try:
            yield connection
        finally:
            await connection.close()


if __name__ == "__main__":
    play(OwnPostgres)
