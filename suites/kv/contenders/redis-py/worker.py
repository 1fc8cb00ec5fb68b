"""The contender ``redis-py``: the blocking client with hiredis, in threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

import redis
from kv_harness import BlockingClient, Fields, Key, Place, Row, Spans, play_blocking, timed_read
from kv_harness.packed import names_of, unpacked
from kv_harness.user_table import NAMES
from redis import exceptions

from wirelab_sdk import Failure, Status, explain


class RedisPy:
    """One client for all threads: a read takes a connection out of its pool."""

    library = ("redis-py", version("redis"))
    whole_records = False
    _client: Any

    def open(self, endpoint: str, place: Place) -> None:
        """Connect once, so that a server that is not there is known now."""
        limits = {"socket_timeout": place.limit_s}
        if most := place.parameter("pool", 0):
            # Its callers wait for a connection; those of the default one would get an error.
            pool = redis.BlockingConnectionPool.from_url(
                endpoint, max_connections=most, timeout=place.limit_s, **limits
            )
            self._client = redis.Redis.from_pool(pool)
        else:
            self._client = redis.Redis.from_url(endpoint, **limits)
        self._client.ping()

    def prepare(self, keys: Sequence[Key]) -> list[str]:
        """Redis has no sets of keys: their names tell them apart, so one MGET asks for all."""
        return names_of(keys)

    def read(self, prepared: list[str], spans: Spans | None = None) -> list[Row | None]:
        """MGET answers in the order asked, repeated keys repeatedly."""
        return timed_read(prepared, self._client.mget, unpacked, spans)

    def read_record(self, key: str) -> Fields | None:
        """A hash has the fields of a record."""
        return _fields(self._client.hmget(key, NAMES))

    def write_record(self, key: str, values: Mapping[int, bytes]) -> None:
        """HSET makes what is not there as well."""
        self._client.hset(key, mapping={NAMES[field]: value for field, value in values.items()})

    def insert_record(self, key: str, values: Fields) -> None:
        """As an update of all fields."""
        self.write_record(key, dict(enumerate(values)))

    def modify_record(self, key: str, values: Mapping[int, bytes]) -> Fields | None:
        """WATCH makes EXEC fail where another one has written since."""
        changed = {NAMES[field]: value for field, value in values.items()}
        with self._client.pipeline() as pipe:
            while True:
                try:
                    pipe.watch(key)
                    found = pipe.hmget(key, NAMES)
                    pipe.multi()
                    pipe.hset(key, mapping=changed)
                    pipe.execute()
                    return _fields(found)
                except exceptions.WatchError:
                    continue

    def explain(self, error: BaseException) -> Failure:
        """redis-py has exceptions of its own for what Python has names for."""
        status = explain(error).status
        if isinstance(error, exceptions.TimeoutError):
            status = Status.TIMEOUT
        elif isinstance(error, exceptions.ConnectionError):
            refused = isinstance(error.__cause__, ConnectionRefusedError)
            status = Status.REFUSED if refused else Status.DISCONNECTED
        return Failure(status, type(error).__name__, "", str(error))

    def close(self) -> None:
        """Give the connections back."""
        self._client.close()


def _fields(found: list[bytes | None]) -> Fields | None:
    there = [value for value in found if value is not None]
    return there if len(there) == len(found) else None


def make() -> BlockingClient[list[str]]:
    """A client that is not connected yet."""
    return RedisPy()


if __name__ == "__main__":
    play_blocking(make)
