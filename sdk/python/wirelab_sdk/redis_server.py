"""Steps that every trial's own redis-server shares: finding it again, and asking it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from wirelab_sdk.server_program import HOST, ServerProgram, ServerProgramError


def calls_of(stats: Mapping[str, str], command: str) -> int:
    """Calls of a command, by Redis's statistics of commands; one that was never called has none."""
    told = stats.get(f"cmdstat_{command}", "calls=0")
    return int(told.partition("calls=")[2].partition(",")[0])


class RedisServer(ServerProgram):
    """A redis-server whose command line has ``own_name(port)``."""

    name = "Redis"
    password = ""
    """Password that it asks for; empty: none."""

    def own_name(self, port: int) -> tuple[str, str]:
        """A setting that changes nothing here, and tells this server from any other."""
        return "--syslog-ident", f"wirelab-{port}"

    async def version(self, port: int) -> str:
        """It tells its version, and by its own name that it is the right one.

        OSError while it reads its snapshot: it answers a few commands then, and no client's.
        """
        if self.own_name(port)[1] not in await self.ask(port, "CONFIG GET syslog-ident"):
            raise ServerProgramError(f"port {port} belongs to another Redis")
        if (await self.info(port, "persistence"))["loading"] != "0":
            raise ConnectionRefusedError(f"the Redis at port {port} still reads its snapshot")
        return (await self.info(port, "server"))["redis_version"]

    async def info(self, port: int, section: str) -> dict[str, str]:
        """A section of INFO, by key."""
        lines = (await self.ask(port, f"INFO {section}")).splitlines()
        return dict(line.split(":", 1) for line in lines if ":" in line)

    async def ask(self, port: int, command: str) -> str:
        """The answer to ``command``: a number, a string, or the lines of a list of strings.

        OSError when there is none, ServerProgramError when the password is not accepted.
        """
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            if self.password:
                writer.write(_in_words("AUTH", self.password))
                if (said := await reader.readline()) != b"+OK\r\n":
                    raise ServerProgramError(f"the password of this trial is refused: {said!r}")
            writer.write(_in_words(*command.split()))
            head = await reader.readline()
            if head.startswith(b":"):
                return head[1:].decode().strip()
            if not head.startswith((b"$", b"*")):
                raise ConnectionResetError(f"no answer to {command}: {head!r}")
            length = int(head[1:])
            if head.startswith(b"$"):
                return (await reader.readexactly(length)).decode()
            lines = [await reader.readline() for _ in range(2 * length)]
            return b"".join(lines).decode()
        except asyncio.IncompleteReadError as error:
            raise ConnectionResetError(f"the answer to {command} ended too early") from error
        finally:
            writer.close()


def _in_words(*words: str) -> bytes:
    """A command as an array: the witness of the wire does not follow lines."""
    parts = [f"${len(word.encode())}\r\n{word}\r\n" for word in words]
    return f"*{len(words)}\r\n{''.join(parts)}".encode()
