"""The contender ``aerospike-both``: the official client and aerospike-py share a process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib.metadata import version
from operator import itemgetter
from typing import Any

import aerospike
from aerospike_py import AsyncClient
from kv_harness import (
    Client,
    ExecutorReads,
    Key,
    Place,
    RecordError,
    Row,
    Spans,
    awaited_read,
    host_and_port,
)
from kv_harness.data import BINS
from kv_serving.serve import serve_several

from wirelab_sdk import Failure, explain

_NAMESPACE = "wirelab"
_OK, _NOT_FOUND = 0, 2
_MOST_OPERATIONS = 512
_bins_of = itemgetter(*BINS)
_Keys = list[tuple[str, str, str]]


class _Both:
    """Parts that both have alike: how keys are written, and how failures are told."""

    library = ("aerospike, aerospike-py", f"{version('aerospike')}, {version('aerospike-py')}")

    def prepare(self, keys: Sequence[Key]) -> _Keys:
        """Keys of several sets go into one multi-get."""
        return [(_NAMESPACE, f"set_{chosen}", key) for chosen, key in keys]

    def explain(self, error: BaseException) -> Failure:
        """In the words of Python: no record of this contender is of a client's own failure."""
        return explain(error)


class OfficialInExecutor(_Both):
    """Reads are jobs in a pool of threads."""

    _client: Any
    _reads: ExecutorReads[_Keys, Any]

    async def open(self, endpoint: str, place: Place) -> None:
        """Connect, which blocks."""
        limit_ms = int(place.limit_s * 1000)
        config = {
            "hosts": [host_and_port(endpoint)],
            "policies": {"batch": {"total_timeout": limit_ms}},
        }
        self._client = await asyncio.to_thread(lambda: aerospike.client(config).connect())
        threads = place.parameter("executor_threads", 16)
        self._reads = ExecutorReads(threads, self._client.batch_read, self._rows)

    async def read(self, prepared: _Keys, spans: Spans | None = None) -> list[Row | None]:
        """Ask and convert in the executor."""
        return await self._reads.read(prepared, spans)

    def _rows(self, result: Any) -> list[Row | None]:
        if refused := {one.result for one in result.batch_records} - {_OK, _NOT_FOUND}:
            raise RecordError(f"result codes {sorted(refused)}, expected {_OK} or {_NOT_FOUND}")
        return [
            _bins_of(one.record[2]) if one.result == _OK else None for one in result.batch_records
        ]

    async def close(self) -> None:
        """End the executor, then the connections."""
        self._reads.close()
        await asyncio.to_thread(self._client.close)


class Native(_Both):
    """Reads are futures of the library's own threads."""

    _client: AsyncClient
    _policy: dict[str, int]

    async def open(self, endpoint: str, place: Place) -> None:
        """Connect."""
        self._policy = {"total_timeout": int(place.limit_s * 1000)}
        hosts = [host_and_port(endpoint)]
        self._client = AsyncClient({"hosts": hosts, "max_concurrent_operations": _MOST_OPERATIONS})
        await self._client.connect()

    async def read(self, prepared: _Keys, spans: Spans | None = None) -> list[Row | None]:
        """The call in the library's threads, the conversion in the event loop."""
        asking = self._client.batch_read(prepared, policy=self._policy)
        return await awaited_read(asking, self._rows, spans)

    def _rows(self, fetched: Any) -> list[Row | None]:
        return [None if bins is None else _bins_of(bins) for bins in fetched.to_list()]

    async def close(self) -> None:
        """Give the connections back."""
        await self._client.close()


def make() -> dict[str, Client[Any]]:
    """Both, by the names of their times; neither is connected yet."""
    return {"official-time": OfficialInExecutor(), "native-time": Native()}


if __name__ == "__main__":
    serve_several(make)
