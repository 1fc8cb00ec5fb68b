"""Rows of YCSB's user table in PostgreSQL, looked into while others write."""

from __future__ import annotations

from collections.abc import Sequence

import asyncpg
from kv_harness.user_sql import COLUMNS, TABLE
from kv_harness.user_table import FIELDS, name_of_user
from kv_harness.watched_records import WatchedRecords

_NUMBERS = (
    "SELECT pg_snapshot_xmin(s)::text, pg_snapshot_xmax(s)::text FROM pg_current_snapshot() s"
)
"""The number of the oldest transaction that has not ended, and the one that the next gets which
writes or locks a row: known at once, where counts of rows are told by each connection when it has
rested."""
_IN_VAIN = """
SELECT count(*) FROM generate_series($1::bigint, $2::bigint - 1) number
WHERE pg_xact_status(number::text::xid8) <> 'committed'
"""
"""The count of transactions from one number to another that were rolled back, or have not ended."""
_FOUND = f"SELECT key, {COLUMNS} FROM {TABLE} WHERE key = ANY($1)"
_KEYS = f"SELECT key FROM {TABLE} WHERE key = ANY($1)"
_NOTHING = [None] * FIELDS
_FARTHEST = 24
"""Steps ahead are powers of two, up to this one."""


class UserRows(WatchedRecords):
    """Rows of ten columns."""

    def __init__(self, loaded: int) -> None:
        super().__init__(loaded)
        self._held = loaded
        self._first = 0
        """Number of the first transaction after the table was filled."""
        self._ended = 0
        """Number of the first transaction that had not ended when it was looked last."""
        self._in_vain = 0
        """Transactions before that one which were rolled back."""

    async def written(self, connection: asyncpg.Connection) -> int:
        """Count the transactions that wrote and were committed, without rows that hold what no
        write has put there.
        """
        self._held = await self._number_of_rows(connection)
        await self._look(connection, self.due(self._held))
        oldest, following = map(int, await connection.fetchrow(_NUMBERS))
        if not self._first:
            self._first = self._ended = following
        oldest = max(oldest, self._ended)
        self._in_vain += await connection.fetchval(_IN_VAIN, self._ended, oldest)
        self._ended = oldest
        under_way = await connection.fetchval(_IN_VAIN, oldest, following)
        return following - self._first - self._in_vain - under_way - self.broken

    async def _number_of_rows(self, connection: asyncpg.Connection) -> int:
        """The rows up to one behind which there is none; inserts have the numbers in turn."""
        last, step = self._held - 1, 1
        while step:
            ahead = {name_of_user(last + (1 << n)): 1 << n for n in range(_FARTHEST)}
            keys = await connection.fetch(_KEYS, list(ahead))
            step = max((ahead[row["key"]] for row in keys), default=0)
            last += step
        return last + 1

    async def _look(self, connection: asyncpg.Connection, numbers: Sequence[int]) -> None:
        rows = await connection.fetch(_FOUND, list(map(name_of_user, numbers)))
        held = {row["key"]: list(row)[1:] for row in rows}
        for number in numbers:
            self.found(number, held.get(name_of_user(number), _NOTHING))
