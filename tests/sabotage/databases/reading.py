"""The contender ``redis-py-async`` with reads that are not what they seem: ``reading.py WAY``."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable

from caching import Caches
from kv_harness import Client, Fields, play
from kv_harness.user_table import NAMES
from worker import RedisPyAsync

_GATHERS_S = 0.002


class AsksForAField(Caches):
    """Asks for one field of each record that it has read before."""

    async def read_record(self, key: str) -> Fields | None:
        """As it was when it was read, with what was written since."""
        if key in self._kept:
            await self._client.hmget(key, NAMES[:1])
        return await super().read_record(key)


class SharesReads(RedisPyAsync):
    """Asks once for all who want the same record within a moment: nobody gets an old one."""

    def __init__(self) -> None:
        self._coming: dict[str, asyncio.Task[Fields | None]] = {}

    async def read_record(self, key: str) -> Fields | None:
        """Wait with the others."""
        if key not in self._coming:
            self._coming[key] = asyncio.create_task(self._gathered(key))
        return await self._coming[key]

    async def _gathered(self, key: str) -> Fields | None:
        await asyncio.sleep(_GATHERS_S)
        del self._coming[key]
        return await super().read_record(key)


class GivesTheFirst(RedisPyAsync):
    """Asks for every record, and gives it as it was when it was asked for first."""

    def __init__(self) -> None:
        self._first: dict[str, Fields | None] = {}

    async def read_record(self, key: str) -> Fields | None:
        """Read nothing of what came."""
        return self._first.setdefault(key, await super().read_record(key))


WAYS: dict[str, Callable[[], Client[list[str]]]] = {
    "asks-for-a-field": AsksForAField,
    "shares-reads": SharesReads,
    "gives-the-first": GivesTheFirst,
}

if __name__ == "__main__":
    play(WAYS[sys.argv[1]])
