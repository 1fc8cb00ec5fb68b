"""The service ``redis``: Debian's redis-server with the suite's records, for one trial."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kv_harness.data import SETS, name_of, records

from wirelab_sdk import Worker, main
from wirelab_sdk.redis_server import RedisServer
from wirelab_sdk.server_program import HOST, Command, ServerProgramError, find_program, serve

_SETTINGS = (
    *("--bind", HOST, "--protected-mode", "yes", "--daemonize", "no", "--loglevel", "warning"),
    # Nothing is written while it serves: neither snapshots nor a log of commands.
    *("--save", "", "--appendonly", "no"),
    *("--maxclients", "10000"),
)


class Redis(RedisServer):
    """redis-server: one thread for commands, a packed record under each key."""

    def __init__(self, universe: int) -> None:
        self._universe = universe

    async def commands(self, port: int, folder: Path) -> list[Command]:
        """All of it on its command line."""
        words = (find_program("redis-server"), "--port", str(port), "--dir", folder)
        return [Command((*words, *_SETTINGS, *self.own_name(port)))]

    async def fill(self, port: int) -> Mapping[str, Any]:
        """Mass insertion as its documentation has it, then a snapshot for one that is restarted."""
        expected = sum(len(records(chosen, self._universe).keys) for chosen in SETS)
        if int(await self.ask(port, "DBSIZE")) != expected:
            await _insert(port, self._universe)
        held = int(await self.ask(port, "DBSIZE"))
        if held != expected:
            raise ServerProgramError(f"{held} of {expected} records are there")
        return {"records": held}

    def endpoint(self, port: int) -> str:
        """A URL of the client libraries."""
        return f"redis://{HOST}:{port}"


async def _insert(port: int, universe: int) -> None:
    """SET after SET; answers are only looked at when those of a set are complete."""
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
        for content, number in [*_commands(universe), (b"SAVE\r\n", 1)]:
            writer.write(content)
            await writer.drain()
            # They fit the socket's buffers (5 bytes each) while the records are sent.
            said = await reader.readexactly(number * len(b"+OK\r\n"))
            if said != b"+OK\r\n" * number:
                raise ServerProgramError(f"a record was not taken: {said[:100]!r}")
    finally:
        writer.close()


def _commands(universe: int) -> Iterator[tuple[bytes, int]]:
    """The records of each set as SET commands, and how many they are."""
    for chosen in SETS:
        parts: list[bytes] = []
        for name, record in records(chosen, universe).packed():
            key = name_of(chosen, name).encode()
            head = b"*3\r\n$3\r\nSET\r\n$%d\r\n%b\r\n$%d\r\n" % (len(key), key, len(record))
            parts += (head, record, b"\r\n")
        yield b"".join(parts), len(parts) // 3


async def play(worker: Worker) -> None:
    """Serve until told to stop."""
    await serve(worker, Redis(worker.spec.parameter("universe", 10_000)))


if __name__ == "__main__":
    main(play)
