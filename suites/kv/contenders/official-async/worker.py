"""The contenders ``official-async…``: Aerospike's own client behind an executor."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from kv_harness import Client, ExecutorReads, Key, Place, Row, Spans, play
from official import LIBRARY, AerospikeKey, connect, failure, keys_of, rows_of

from wirelab_sdk import Failure


class OfficialAsync:
    """The library has no asyncio: each read is a job in a pool of threads."""

    library = LIBRARY
    _reads: ExecutorReads[list[AerospikeKey], Any]
    _client: Any

    async def open(self, endpoint: str, place: Place) -> None:
        """Connect, which blocks."""
        self._client = await asyncio.to_thread(connect, endpoint, place)
        threads = place.parameter("executor_threads", 16)
        self._reads = ExecutorReads(threads, self._client.batch_read, rows_of)

    def prepare(self, keys: Sequence[Key]) -> list[AerospikeKey]:
        """Keys of several sets go into one multi-get."""
        return keys_of(keys)

    async def read(
        self, prepared: list[AerospikeKey], spans: Spans | None = None
    ) -> list[Row | None]:
        """Ask and convert in the executor."""
        return await self._reads.read(prepared, spans)

    async def fetch(self, prepared: list[AerospikeKey]) -> Any:
        """The call alone, in the executor."""
        return await self._reads.fetch(prepared)

    def convert(self, fetched: Any) -> list[Row | None]:
        """In the event loop."""
        return rows_of(fetched)

    def explain(self, error: BaseException) -> Failure:
        """In the words of the library."""
        return failure(error)

    async def close(self) -> None:
        """End the executor, then the connections."""
        self._reads.close()
        await asyncio.to_thread(self._client.close)


def make() -> Client[list[AerospikeKey]]:
    """A client that is not connected yet."""
    return OfficialAsync()


if __name__ == "__main__":
    play(make)
