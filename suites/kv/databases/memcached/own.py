"""The stand-in ``own-memcached``: a memcached of the user's own, with the suite's records."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager

from kv_harness.data import SETS, name_of, parts, records

from wirelab_sdk import Spec
from wirelab_sdk.own_server import OwnServer, OwnServerError, OwnTarget, play

Record = tuple[str, bytes]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class OwnMemcached(OwnServer):
    """A packed record under each key, as in the suite's own."""

    name = "memcached"
    counts = "stats: cmd_get"
    lies = "under keys that begin with wirelab:"

    def __init__(self, spec: Spec, target: OwnTarget) -> None:
        super().__init__(target)
        self._universe = spec.parameter("universe", 10_000)

    async def version(self) -> str:
        """As its statistics have it."""
        return (await self._stats()).get("version", "")

    async def requests(self) -> int:
        """The keys asked for by everybody."""
        return int((await self._stats())["cmd_get"])

    @property
    def endpoint(self) -> str:
        """There is no URL of memcached's."""
        return self.address

    async def missing(self) -> int:
        """Records that are not there, of all sets."""
        count = 0
        async for (name, record), held in self._held():
            if held is None:
                count += 1
            elif held != record:
                raise OwnServerError(
                    f"{name} on the memcached at {self.address} is not wirelab's record: it was "
                    "left as it is, and nothing was measured"
                )
        return count

    async def fill(self) -> int:
        """`add`, which writes where there is nothing."""
        written = 0
        async with self._connected() as (reader, writer):
            for part in parts(self._records()):
                lines = [
                    b"add %b 0 0 %d\r\n%b\r\n" % (name.encode(), len(record), record)
                    for name, record in part
                ]
                written += await _answered(reader, writer, lines, b"STORED\r\n")
        return written

    async def remove(self) -> int:
        """`delete` of what has the value that we write."""
        removed = 0
        ours = [name async for (name, record), held in self._held() if held == record]
        async with self._connected() as (reader, writer):
            for names in parts(ours):
                lines = [b"delete %b\r\n" % name.encode() for name in names]
                removed += await _answered(reader, writer, lines, b"DELETED\r\n")
        return removed

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[Streams]:
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            yield reader, writer
        except asyncio.IncompleteReadError as error:
            raise ConnectionResetError("it closed the connection within an answer") from error
        finally:
            writer.close()

    async def _stats(self) -> dict[str, str]:
        async with self._connected() as (reader, writer):
            writer.write(b"stats\r\n")
            said = (await reader.readuntil(b"END\r\n")).decode()
        lines = (line.split(" ", 2) for line in said.splitlines() if line.startswith("STAT "))
        return {name: value for _, name, value in lines}

    async def _held(self) -> AsyncIterator[tuple[Record, bytes | None]]:
        """Each record of ours, and what lies in its place."""
        async with self._connected() as (reader, writer):
            for part in parts(self._records()):
                held: dict[str, bytes] = {}
                # A server need not take a line of more than a hundred keys.
                for begin in range(0, len(part), 100):
                    names = [name for name, _ in part[begin : begin + 100]]
                    writer.write(b"get %b\r\n" % " ".join(names).encode())
                    held |= await _values(reader)
                for name, record in part:
                    yield (name, record), held.get(name)

    def _records(self) -> Iterator[Record]:
        for chosen in SETS:
            for key, record in records(chosen, self._universe).packed():
                yield name_of(chosen, key), record


async def _values(reader: asyncio.StreamReader) -> dict[str, bytes]:
    """The values of an answer to `get`, by key."""
    found = {}
    while (line := await reader.readuntil(b"\r\n")) != b"END\r\n":
        word, *rest = line.split()
        if word != b"VALUE":
            raise OwnServerError(f"your memcached refuses: {line.decode(errors='replace')}")
        found[rest[0].decode()] = (await reader.readexactly(int(rest[2]) + 2))[:-2]
    return found


async def _answered(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, lines: Sequence[bytes], good: bytes
) -> int:
    """Count the commands that were answered as they should be."""
    writer.write(b"".join(lines))
    await writer.drain()
    return sum([await reader.readuntil(b"\r\n") == good for _ in lines])


if __name__ == "__main__":
    play(OwnMemcached)
