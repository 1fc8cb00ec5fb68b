"""The service ``redis``: Debian's redis-server with the suite's records, for one trial."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from kv_harness.data import SETS, count, name_of, records
from kv_harness.popularity import popularity
from kv_harness.user_table import NAMES, loaded
from kv_harness.watched_records import RECORD_BYTES
from user_records import UserRecords

from wirelab_sdk import Spec, Worker, main
from wirelab_sdk.redis_server import RedisServer, calls_of
from wirelab_sdk.secret import taken
from wirelab_sdk.server_program import HOST, ProgramCommand, ServerProgramError, find_program, serve

_SETTINGS = (
    *("--bind", HOST, "--protected-mode", "yes", "--daemonize", "no", "--loglevel", "warning"),
    *("--save", "", "--maxclients", "10000"),
)
_DURABILITY = {
    # Nothing is written while it serves: neither snapshots nor a log of commands.
    "none": ("--appendonly", "no"),
    "each-write": ("--appendonly", "yes", "--appendfsync", "always"),
}
_AT_ONCE = 1000
"""Commands that are sent before their answers are read: these fit the socket's buffers."""


class Redis(RedisServer):
    """redis-server: one thread for commands; a packed record under each key, or YCSB's user table
    as a hash a record."""

    def __init__(self, spec: Spec) -> None:
        self._universe = spec.parameter("universe", 10_000)
        self._users = spec.parameter("records", 0)
        self._durability = spec.parameter("durability", "none")
        self._secret = taken()
        self._records = UserRecords(self._users) if self._users else None
        self._sent_before = -1
        """Bytes that it had sent when it was first asked for its counts."""

    async def commands(self, port: int, folder: Path) -> list[ProgramCommand]:
        """All of it on its command line."""
        words = (find_program("redis-server"), "--port", str(port), "--dir", folder)
        durable = _DURABILITY[self._durability]
        return [ProgramCommand((*words, *_SETTINGS, *durable, *self.own_name(port)))]

    async def fill(self, port: int) -> Mapping[str, Any]:
        """Mass insertion as its documentation has it, then a snapshot for one that is restarted."""
        if self._users:
            expected, commands = self._users, _users(self._users, self._secret)
        else:
            expected = sum(count(chosen, self._universe) for chosen in SETS)
            commands = _commands(self._universe, self._secret)
        if int(await self.ask(port, "DBSIZE")) != expected:
            await _insert(port, commands)
        held = int(await self.ask(port, "DBSIZE"))
        if held != expected:
            raise ServerProgramError(f"{held} of {expected} records are there")
        popular = {"popularity": popularity(self._users)} if self._users else {}
        return {"records": held, "durability": self._durability, **popular}

    async def served(self, port: int) -> Mapping[str, int]:
        """Keys that were looked for, found or not, and records that were written: of the user table
        no more than there were whole records in what was sent, without those that held what nobody
        has written.
        """
        if self._records is not None:
            await self._records.look(port, int(await self.ask(port, "DBSIZE")))
        told = await self.info(port, "all")
        looked_for = int(told["keyspace_hits"]) + int(told["keyspace_misses"])
        written = calls_of(told, "hset")
        if self._records is None:
            return {"records": looked_for, "written": written}
        sent = int(told["total_net_output_bytes"]) - self._records.heard
        if self._sent_before < 0:
            self._sent_before = sent
        whole = (sent - self._sent_before) // RECORD_BYTES
        return {
            "records": min(looked_for - self._records.looks, whole),
            "written": written - self._records.broken,
        }

    def endpoint(self, port: int) -> str:
        """A URL of the client libraries."""
        return f"redis://{HOST}:{port}"


async def _insert(port: int, commands: Iterable[tuple[bytes, bytes]]) -> None:
    """Command after command; answers are only looked at when those of a part are complete."""
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
        for content, answers in itertools.chain(commands, [(b"SAVE\r\n", b"+OK\r\n")]):
            writer.write(content)
            await writer.drain()
            # They fit the socket's buffers (5 bytes each) while the records are sent.
            said = await reader.readexactly(len(answers))
            if said != answers:
                raise ServerProgramError(f"a record was not taken: {said[:100]!r}")
    finally:
        writer.close()


def _commands(universe: int, secret: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The records of each set as SET commands, and what is answered to them."""
    for chosen in SETS:
        parts: list[bytes] = []
        for name, record in records(chosen, universe, secret).packed():
            key = name_of(chosen, name).encode()
            head = b"*3\r\n$3\r\nSET\r\n$%d\r\n%b\r\n$%d\r\n" % (len(key), key, len(record))
            parts += (head, record, b"\r\n")
        yield b"".join(parts), b"+OK\r\n" * (len(parts) // 3)


def _users(number: int, secret: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The user table as HSET commands, and what is answered to them: fields that were made."""
    table = loaded(number, secret)
    while part := list(itertools.islice(table, _AT_ONCE)):
        commands = [
            _command("HSET", key, *itertools.chain(*zip(NAMES, fields, strict=True)))
            for key, fields in part
        ]
        yield b"".join(commands), b":%d\r\n" % len(NAMES) * len(part)


def _command(*words: str | bytes) -> bytes:
    """A command as the protocol has it."""
    plain = [word if isinstance(word, bytes) else word.encode() for word in words]
    return b"*%d\r\n" % len(plain) + b"".join(b"$%d\r\n%b\r\n" % (len(w), w) for w in plain)


async def play(worker: Worker) -> None:
    """Serve until told to stop."""
    await serve(worker, Redis(worker.spec))


if __name__ == "__main__":
    main(play)
