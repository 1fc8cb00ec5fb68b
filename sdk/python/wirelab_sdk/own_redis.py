"""A Redis of the user's own: asked and counted over its own protocol."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from wirelab_sdk.own_server import OwnServer, OwnServerError
from wirelab_sdk.redis_server import calls_of

Word = str | bytes
_REFUSED = b"-"

_HINT = (
    " A login comes from the environment (WIRELAB_REDIS_USER, WIRELAB_REDIS_PASSWORD) and is kept "
    "nowhere: give it with --resume as well"
)


class RedisConnection:
    """One connection; answers are bytes, integers, None or lists of these."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def ask(self, *words: Word) -> Any:
        """The answer to one command; OwnServerError in the server's words when it refuses."""
        return (await self.ask_all([words]))[0]

    async def ask_all(self, commands: Sequence[Sequence[Word]]) -> list[Any]:
        """The answers to commands that are sent together."""
        self._writer.write(b"".join(map(_encoded, commands)))
        await self._writer.drain()
        return [await self._answer() for _ in commands]

    async def _answer(self) -> Any:
        try:
            line = (await self._reader.readuntil(b"\r\n"))[:-2]
            kind, rest = line[:1], line[1:]
            if kind == _REFUSED:
                said = rest.decode(errors="replace")
                hint = _HINT if said.startswith("NOAUTH") else ""
                raise OwnServerError(f"your Redis refuses: {said}{hint}")
            if kind == b"+":
                return rest
            if kind == b":":
                return int(rest)
            if kind == b"*":
                return [await self._answer() for _ in range(int(rest))]
            if kind == b"$":
                length = int(rest)
                return None if length < 0 else (await self._reader.readexactly(length + 2))[:-2]
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError) as error:
            raise ConnectionResetError(f"what answers there is no Redis: {error}") from error
        raise ConnectionResetError(f"what answers there is no Redis: {line[:40]!r}")


def _encoded(words: Sequence[Word]) -> bytes:
    parts = [b"*%d\r\n" % len(words)]
    for word in words:
        content = word.encode() if isinstance(word, str) else word
        parts.append(b"$%d\r\n%b\r\n" % (len(content), content))
    return b"".join(parts)


class OwnRedis(OwnServer):
    """A Redis, or what speaks as one; ``commands`` are those by which clients ask it."""

    name = "Redis"
    commands: Sequence[str] = ()

    @property
    def counts(self) -> str:  # type: ignore[override]
        """The calls of these commands by everybody."""
        return " + ".join(f"cmdstat_{command}" for command in self.commands)

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[RedisConnection]:
        """A connection that is logged in."""
        reader, writer = await asyncio.open_connection(self.host, self.port)
        connection = RedisConnection(reader, writer)
        try:
            if self.login.password:
                who = [self.login.user] if self.login.user else []
                await connection.ask("AUTH", *who, self.login.password)
            yield connection
        finally:
            writer.close()

    async def version(self) -> str:
        """As INFO has it."""
        return (await self._info("server")).get("redis_version", "")

    async def requests(self) -> int:
        """The calls of the commands, since the server began or its statistics were reset."""
        stats = await self._info("commandstats")
        return sum(calls_of(stats, command) for command in self.commands)

    async def _info(self, section: str) -> dict[str, str]:
        async with self.connected() as connection:
            said: bytes = await connection.ask("INFO", section)
        lines = said.decode(errors="replace").splitlines()
        return dict(line.split(":", 1) for line in lines if ":" in line)

    @property
    def endpoint(self) -> str:
        """A URL of the client libraries."""
        return f"redis://{self.login.placeholder}{self.address}"


class OwnPubSub(OwnRedis):
    """A Redis that is asked to publish, and keeps nothing."""

    commands = ("publish",)
