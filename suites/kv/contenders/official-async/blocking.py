"""The contenders ``official`` and ``official-concurrent``: Aerospike's own client in threads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kv_harness import BlockingClient, Key, Place, Row, Spans, play_blocking, timed_read
from official import LIBRARY, AerospikeKey, connect, failure, keys_of, rows_of

from wirelab_sdk import Failure


class Official:
    """One client that all threads share, as its documentation wants it."""

    library = LIBRARY
    _client: Any

    def open(self, endpoint: str, place: Place) -> None:
        """Connect."""
        self._client = connect(endpoint, place)

    def prepare(self, keys: Sequence[Key]) -> list[AerospikeKey]:
        """Keys of several sets go into one multi-get."""
        return keys_of(keys)

    def read(self, prepared: list[AerospikeKey], spans: Spans | None = None) -> list[Row | None]:
        """Ask and convert."""
        return timed_read(prepared, self._client.batch_read, rows_of, spans)

    def explain(self, error: BaseException) -> Failure:
        """In the words of the library."""
        return failure(error)

    def close(self) -> None:
        """Give the connections back."""
        self._client.close()


def make() -> BlockingClient[list[AerospikeKey]]:
    """A client that is not connected yet."""
    return Official()


if __name__ == "__main__":
    play_blocking(make)
