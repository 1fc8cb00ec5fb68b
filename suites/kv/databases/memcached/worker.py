"""The service ``memcached``: Debian's memcached with the suite's records, for one trial.

It keeps nothing: one that is restarted is empty, and serves while it is filled again. Its facts say
so (``forgets``): a record that is not there yet is no wrong answer of a client.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kv_harness.data import SETS, name_of, records
from kv_harness.popularity import popularity
from kv_harness.user_table import loaded
from kv_harness.watched_records import RECORD_BYTES
from user_values import UserValues

from wirelab_sdk import Spec, Worker, main
from wirelab_sdk.secret import taken
from wirelab_sdk.server_program import (
    HOST,
    ProgramCommand,
    ServerProgram,
    ServerProgramError,
    find_program,
    serve,
)

_MOST_CONNECTIONS = 4096
# Per record: its 104 bytes, its key and the cache's own head take less than 200.
_BYTES_PER_RECORD = 400
# Its 1,000 bytes, in slabs for up to 1,184, and a third more for those that are inserted.
_BYTES_PER_USER = 1700
_LEAST_MEGABYTES = 64
_AT_ONCE = 1000


class Memcached(ServerProgram):
    """memcached with the threads that it starts by itself, a packed record under each key."""

    name = "memcached"

    def __init__(self, spec: Spec) -> None:
        self._universe = spec.parameter("universe", 10_000)
        self._users = spec.parameter("records", 0)
        self._secret = taken()
        self._values = UserValues(self._users) if self._users else None
        self._sent_before = -1
        """Bytes that it had sent when it was first asked for its counts."""
        self._told = 0
        """Bytes of its counts."""
        if spec.parameter("durability", "none") != "none":
            raise ServerProgramError("memcached keeps nothing on disk: durability must be none")

    async def commands(self, port: int, folder: Path) -> list[ProgramCommand]:  # noqa: ARG002
        """All of it on its command line; it keeps nothing on disk."""
        bytes_needed = len(SETS) * self._universe * _BYTES_PER_RECORD
        needed = (bytes_needed + self._users * _BYTES_PER_USER) >> 20
        words = (
            *(find_program("memcached"), "-l", HOST, "-p", str(port), "-U", "0"),
            *("-m", str(max(_LEAST_MEGABYTES, needed)), "-c", str(_MOST_CONNECTIONS)),
            # What does not fit is refused rather than forgotten: a record less is no miss.
            *("-M", "-u", "nobody"),
        )
        return [ProgramCommand(words)]

    async def version(self, port: int) -> str:
        """It tells its version, and by an empty cache that it is this trial's own."""
        stats = await _stats(port)
        if stats["curr_items"] != "0":
            raise ServerProgramError(f"port {port} belongs to another memcached")
        return stats["version"]

    async def fill(self, port: int) -> Mapping[str, Any]:
        """Pipelined ``set`` without replies, then a count."""
        _, writer = await asyncio.open_connection(HOST, port)
        sent = 0
        try:
            for name, record in self._items():
                head = b"set %b 0 0 %d noreply\r\n" % (name.encode(), len(record))
                writer.write(head + record + b"\r\n")
                sent += 1
                if sent % _AT_ONCE == 0:
                    await writer.drain()
            await writer.drain()
            held = await _held(port, sent)
        finally:
            writer.close()
        if held != sent:
            raise ServerProgramError(f"{held} of {sent} records are there")
        popular = {"popularity": popularity(self._users)} if self._users else {}
        return {"records": held, "durability": "none", "forgets": True, **popular}

    def _items(self) -> Iterator[tuple[str, bytes]]:
        """Key and value of all that is there: YCSB's user table, or the nine sets."""
        for key, fields in loaded(self._users, self._secret):
            yield key, b"".join(fields)
        for chosen in SETS if not self._users else ():
            for key, record in records(chosen, self._universe, self._secret).packed():
                yield name_of(chosen, key), record

    async def served(self, port: int) -> Mapping[str, int]:
        """Keys that were asked for, found or not, and records that were stored: of the user table
        no more than there were whole records in what was sent, without those that held what nobody
        has written.
        """
        if self._values is None:
            told = await _stats(port)
            return {"records": int(told["cmd_get"]), "written": int(told["total_items"])}
        before = await _said(port)
        self._told += len(before)
        await self._values.look(port, int(_figures(before)["curr_items"]))
        said = await _said(port)
        told = _figures(said)
        sent = int(told["bytes_written"]) - self._values.heard - self._told
        self._told += len(said)
        if self._sent_before < 0:
            self._sent_before = sent
        whole = (sent - self._sent_before) // RECORD_BYTES
        return {
            "records": min(int(told["cmd_get"]) - self._values.looks, whole),
            "written": int(told["total_items"]) - self._values.broken,
        }

    def endpoint(self, port: int) -> str:
        """There is no URL of memcached's."""
        return f"{HOST}:{port}"


async def _held(port: int, sent: int) -> int:
    """Items in the cache, when all are there or no more come."""
    held = -1
    while (now := int((await _stats(port))["curr_items"])) != sent and now != held:
        held = now
        await asyncio.sleep(0.2)
    return now


async def _stats(port: int) -> dict[str, str]:
    return _figures(await _said(port))


async def _said(port: int) -> bytes:
    """The answer to ``stats``."""
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
        writer.write(b"stats\r\n")
        return await reader.readuntil(b"END\r\n")
    except asyncio.IncompleteReadError as error:
        raise ConnectionResetError("the answer to stats ended too early") from error
    finally:
        writer.close()


def _figures(said: bytes) -> dict[str, str]:
    lines = (line.split(" ", 2) for line in said.decode().splitlines() if line.startswith("STAT "))
    return {name: value for _, name, value in lines}


async def play(worker: Worker) -> None:
    """Serve until told to stop."""
    await serve(worker, Memcached(worker.spec))


if __name__ == "__main__":
    main(play)
