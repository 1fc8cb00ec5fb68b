"""The contender ``redis-py-async``: redis-py on asyncio with hiredis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from kv_harness import Client, Fields, Key, Place, Row, Spans, awaited_read, play
from kv_harness.packed import names_of, unpacked
from kv_harness.user_table import NAMES
from redis import exceptions
from redis.asyncio import BlockingConnectionPool, Redis

from wirelab_sdk import Failure, Status, explain


class RedisPyAsync:
    """One client for all tasks: a read takes a connection out of its pool, or waits for one."""

    library = ("redis-py", version("redis"))
    whole_records = False
    _client: Any

    async def open(self, endpoint: str, place: Place) -> None:
        """Connect once, so that a server that is not there is known now."""
        pool: Any = BlockingConnectionPool.from_url(
            endpoint,
            max_connections=place.connections,
            socket_timeout=place.limit_s,
            timeout=place.limit_s,
        )
        self._client = Redis.from_pool(pool)
        await self._client.ping()

    def prepare(self, keys: Sequence[Key]) -> list[str]:
        """Redis has no sets of keys: their names tell them apart, so one MGET asks for all."""
        return names_of(keys)

    async def read(self, prepared: list[str], spans: Spans | None = None) -> list[Row | None]:
        """MGET answers in the order asked, repeated keys repeatedly."""
        return await awaited_read(self.fetch(prepared), self.convert, spans)

    async def fetch(self, prepared: list[str]) -> list[bytes | None]:
        """The call alone."""
        values: list[bytes | None] = await self._client.mget(prepared)
        return values

    def convert(self, fetched: list[bytes | None]) -> list[Row | None]:
        """Unpack what came."""
        return unpacked(fetched)

    async def read_record(self, key: str) -> Fields | None:
        """A hash has the fields of a record."""
        return _fields(await self._client.hmget(key, NAMES))

    async def write_record(self, key: str, values: Mapping[int, bytes]) -> None:
        """HSET makes what is not there as well."""
        changed = {NAMES[field]: value for field, value in values.items()}
        await self._client.hset(key, mapping=changed)

    async def insert_record(self, key: str, values: Fields) -> None:
        """As an update of all fields."""
        await self.write_record(key, dict(enumerate(values)))

    async def modify_record(self, key: str, values: Mapping[int, bytes]) -> Fields | None:
        """WATCH makes EXEC fail where another one has written since."""
        changed = {NAMES[field]: value for field, value in values.items()}
        async with self._client.pipeline() as pipe:
            while True:
                try:
                    await pipe.watch(key)
                    found = await pipe.hmget(key, NAMES)
                    pipe.multi()
                    pipe.hset(key, mapping=changed)
                    await pipe.execute()
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

    async def close(self) -> None:
        """Give the connections back."""
        await self._client.aclose()


def _fields(found: list[bytes | None]) -> Fields | None:
    there = [value for value in found if value is not None]
    return there if len(there) == len(found) else None


def make() -> Client[list[str]]:
    """A client that is not connected yet."""
    return RedisPyAsync()


if __name__ == "__main__":
    play(make)
