"""The contender ``pymemcache``: a blocking client with a pool, in threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from kv_harness import (
    BlockingClient,
    Fields,
    Key,
    Place,
    Row,
    Spans,
    host_and_port,
    play_blocking,
    timed_read,
)
from kv_harness.packed import joined, names_of, parted, unpacked
from pymemcache import exceptions
from pymemcache.client.base import PooledClient

from wirelab_sdk import Failure, Status, explain


class Pymemcache:
    """One client for all threads: a read takes a connection out of its pool."""

    library = ("pymemcache", version("pymemcache"))
    whole_records = True
    _client: Any

    def open(self, endpoint: str, place: Place) -> None:
        """Connect once, so that a server that is not there is known now."""
        self._client = PooledClient(
            host_and_port(endpoint),
            connect_timeout=place.limit_s,
            timeout=place.limit_s,
            no_delay=place.parameter("no_delay", True),
            max_pool_size=place.connections,
        )
        self._client.version()

    def prepare(self, keys: Sequence[Key]) -> list[str]:
        """memcached has no sets of keys: their names tell them apart, so one call asks for all."""
        return names_of(keys)

    def read(self, prepared: list[str], spans: Spans | None = None) -> list[Row | None]:
        """The library answers with a dictionary, whatever was asked twice."""

        def in_order(found: dict[str, bytes]) -> list[Row | None]:
            return unpacked(map(found.get, prepared))

        return timed_read(prepared, self._client.get_many, in_order, spans)

    def read_record(self, key: str) -> Fields | None:
        """The fields follow one another in the value."""
        return parted(self._client.get(key))

    def write_record(self, key: str, values: Mapping[int, bytes]) -> None:
        """Acknowledged, which the library's default is not."""
        if not self._client.replace(key, joined(values), noreply=False):
            raise NotStoredError(key)

    def insert_record(self, key: str, values: Fields) -> None:
        """Insert a record where there is none yet."""
        if not self._client.add(key, b"".join(values), noreply=False):
            raise NotStoredError(key)

    def modify_record(self, key: str, values: Mapping[int, bytes]) -> Fields | None:
        """The token that comes with a value is its version."""
        while True:
            found, token = self._client.gets(key)
            if found is None or self._client.cas(key, joined(values), token, noreply=False):
                return parted(found)

    def explain(self, error: BaseException) -> Failure:
        """Lost connections have two names here, and Python's own."""
        words = explain(error)
        if isinstance(error, exceptions.MemcacheUnexpectedCloseError):
            return words._replace(status=Status.DISCONNECTED)
        return words

    def close(self) -> None:
        """Give the connections back."""
        self._client.close()


class NotStoredError(Exception):
    """A record that the server did not take."""


def make() -> BlockingClient[list[str]]:
    """A client that is not connected yet."""
    return Pymemcache()


if __name__ == "__main__":
    play_blocking(make)
