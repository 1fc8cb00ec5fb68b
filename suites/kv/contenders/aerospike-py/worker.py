"""The contender ``aerospike-py``: the client on Rust's, with an asyncio of its own."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from operator import itemgetter
from typing import Any

from aerospike_py import AsyncClient, LazyBatchRecords, exception
from kv_harness import Client, Key, Place, Row, Spans, awaited_read, host_and_port, play
from kv_harness.data import BINS

from wirelab_sdk import Failure, Status, explain

_NAMESPACE = "wirelab"
AerospikeKey = tuple[str, str, str | int | bytes]
_bins_of = itemgetter(*BINS)


class AerospikePy:
    """Reads are futures of the library's own threads; conversion is the caller's."""

    library = ("aerospike-py", version("aerospike-py"))
    _client: AsyncClient
    _policy: dict[str, int]

    async def open(self, endpoint: str, place: Place) -> None:
        """Connect with the bound that the tuning says."""
        most = place.parameter("max_concurrent_operations", 512)
        config: dict[str, Any] = {
            "hosts": [host_and_port(endpoint)],
            "max_concurrent_operations": most,
        }
        if connections := place.parameter("pool", 0):
            config["max_conns_per_node"] = connections
        self._policy = {"total_timeout": int(place.limit_s * 1000)}
        self._client = AsyncClient(config)
        await self._client.connect()

    def prepare(self, keys: Sequence[Key]) -> list[AerospikeKey]:
        """Keys of several sets go into one multi-get."""
        return [(_NAMESPACE, f"set_{chosen}", key) for chosen, key in keys]

    async def read(
        self, prepared: list[AerospikeKey], spans: Spans | None = None
    ) -> list[Row | None]:
        """The call in the library's threads, the conversion in the event loop."""
        return await awaited_read(self.fetch(prepared), self.convert, spans)

    async def fetch(self, prepared: list[AerospikeKey]) -> LazyBatchRecords:
        """The call alone; its result stays in the library."""
        return await self._client.batch_read(prepared, policy=self._policy)

    def convert(self, fetched: LazyBatchRecords) -> list[Row | None]:
        """By ``to_list``, because ``to_dict`` has one record for keys that are alike.

        A record that the server refused is there like one that it does not have; the check that
        every multi-get gets tells them apart.
        """
        return [None if bins is None else _bins_of(bins) for bins in fetched.to_list()]

    def explain(self, error: BaseException) -> Failure:
        """The library has exceptions of its own for what Python has names for."""
        words = explain(error)
        status = words.status
        if isinstance(error, exception.AerospikeTimeoutError):
            status = Status.TIMEOUT
        elif isinstance(error, exception.ClusterError):
            status = Status.DISCONNECTED
        return words._replace(status=status)

    async def close(self) -> None:
        """Give the connections back."""
        await self._client.close()


def make() -> Client[list[AerospikeKey]]:
    """A client that is not connected yet."""
    return AerospikePy()


if __name__ == "__main__":
    play(make)
