"""A trial's own Redis: when it has answered, and for whom."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from wirelab_sdk.redis_server import RedisServer
from wirelab_sdk.server_program import ProgramCommand, ServerProgramError


class Nameless(RedisServer):
    """A Redis that somebody else started."""

    async def commands(self, port: int, folder: Path) -> Sequence[ProgramCommand]:
        """Nothing is started."""
        raise NotImplementedError

    def endpoint(self, port: int) -> str:
        """Nobody connects."""
        raise NotImplementedError


async def words_of(reader: asyncio.StreamReader) -> list[str]:
    """The words of a command, which is an array."""
    count = int((await reader.readline())[1:])
    words = []
    for _ in range(count):
        length = int((await reader.readline())[1:])
        words.append((await reader.readexactly(length + 2))[:length].decode())
    return words


def version_from(answer: Callable[[str, int], str]) -> str:
    """The version that is told where a command is answered by ``answer``, which knows the port."""

    async def versioned() -> str:
        async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            said = answer(" ".join(await words_of(reader)), port)
            writer.write(b"$%d\r\n%b\r\n" % (len(said), said.encode()))
            await writer.drain()
            writer.close()

        async with await asyncio.start_server(talk, "127.0.0.1", 0) as server:
            port = int(server.sockets[0].getsockname()[1])
            return await Nameless().version(port)

    return asyncio.run(versioned())


def redis(command: str, port: int, *, loading: int = 0) -> str:
    """The answer of a Redis of this trial."""
    answers = {
        "CONFIG GET syslog-ident": f"syslog-ident\r\nwirelab-{port}\r\n",
        "INFO persistence": f"# Persistence\r\nloading:{loading}\r\nasync_loading:0\r\n",
        "INFO server": "# Server\r\nredis_version:7.0.15\r\n",
    }
    return answers[command]


def test_one_that_has_read_its_snapshot_tells_its_version() -> None:
    assert version_from(redis) == "7.0.15"


def test_one_that_reads_its_snapshot_has_not_answered_yet() -> None:
    with pytest.raises(OSError, match="still reads its snapshot"):
        version_from(lambda command, port: redis(command, port, loading=1))


def test_another_ones_redis_is_refused() -> None:
    with pytest.raises(ServerProgramError, match="belongs to another Redis"):
        version_from(lambda command, port: redis(command, port + 1))
