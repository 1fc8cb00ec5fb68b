"""The stand-in ``own-redis``: a Redis of the user's own, with the suite's records."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from kv_harness.data import SETS, name_of, parts, records

from wirelab_sdk import Spec
from wirelab_sdk.own_redis import OwnRedis, RedisConnection
from wirelab_sdk.own_server import OwnServerError, OwnTarget, play

Record = tuple[str, bytes]


class FilledRedis(OwnRedis):
    """A packed record under each key, as in the suite's own."""

    commands = ("mget",)
    lies = "under keys that begin with wirelab:"

    def __init__(self, spec: Spec, target: OwnTarget) -> None:
        super().__init__(target)
        self._universe = spec.parameter("universe", 10_000)

    async def missing(self) -> int:
        """Records that are not there, of all sets."""
        count = 0
        async with self.connected() as connection:
            async for (name, record), held in self._held(connection):
                if held is None:
                    count += 1
                elif held != record:
                    raise OwnServerError(
                        f"{name} on the Redis at {self.address} is not wirelab's record: it was "
                        "left as it is, and nothing was measured"
                    )
        return count

    async def fill(self) -> int:
        """SET where there is nothing."""
        written = 0
        async with self.connected() as connection:
            for part in parts(self._records()):
                commands = [("SET", name, record, "NX") for name, record in part]
                written += sum(said == b"OK" for said in await connection.ask_all(commands))
        return written

    async def remove(self) -> int:
        """UNLINK of what has the value that we write."""
        removed = 0
        async with self.connected() as connection:
            ours = [name async for (name, record), held in self._held(connection) if held == record]
            for names in parts(ours):
                removed += await connection.ask("UNLINK", *names)
        return removed

    async def _held(
        self, connection: RedisConnection
    ) -> AsyncIterator[tuple[Record, bytes | None]]:
        """Each record of ours, and what lies in its place."""
        for part in parts(self._records()):
            held = await connection.ask("MGET", *(name for name, _ in part))
            for record, value in zip(part, held, strict=True):
                yield record, value

    def _records(self) -> Iterator[Record]:
        for chosen in SETS:
            for key, record in records(chosen, self._universe).packed():
                yield name_of(chosen, key), record


if __name__ == "__main__":
    play(FilledRedis)
