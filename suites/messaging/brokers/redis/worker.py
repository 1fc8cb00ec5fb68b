"""The neutral program ``redis``: Debian's redis-server for the length of a trial."""

from __future__ import annotations

import asyncio
from pathlib import Path

from credentials import Credentials, asked_for

from wirelab_sdk import Worker, main
from wirelab_sdk.server_program import (
    HOST,
    Command,
    ServerProgram,
    ServerProgramError,
    find_program,
    serve,
)

_SETTINGS = (
    *("--bind", HOST, "--protected-mode", "yes", "--daemonize", "no", "--loglevel", "warning"),
    *("--proto-max-bulk-len", "16mb"),
    # Nothing is kept: neither snapshots nor a log of commands.
    *("--save", "", "--appendonly", "no"),
    # A subscriber is cut off when this much waits for it. The default of 32 MB (8 MB for 60 s) is
    # less than what 500 clients that send 300 messages each have for one of them.
    *("--client-output-buffer-limit", "pubsub 256mb 128mb 60"),
    *("--maxclients", "10000"),
)


class Redis(ServerProgram):
    """redis-server: one thread for commands, publish and subscribe alone."""

    name = "Redis"

    def __init__(self, credentials: Credentials | None) -> None:
        self._credentials = credentials

    async def commands(self, port: int, folder: Path) -> list[Command]:
        """All of it on its command line."""
        words = (find_program("redis-server"), "--port", str(port), "--dir", folder)
        named = ("--syslog-ident", _named(port))
        guard = ("--requirepass", self._credentials.password) if self._credentials else ()
        return [Command((*words, *_SETTINGS, *named, *guard))]

    async def version(self, port: int) -> str:
        """It tells its version, and by a setting of this trial's own that it is the right one."""
        if _named(port) not in await self._ask(port, "CONFIG GET syslog-ident"):
            raise ServerProgramError(f"port {port} belongs to another Redis")
        lines = (await self._ask(port, "INFO server")).splitlines()
        server = dict(line.split(":", 1) for line in lines if ":" in line)
        return server["redis_version"]

    def endpoint(self, port: int) -> str:
        """A URL of the client libraries; a password alone is that of the default user."""
        known = f":{self._credentials.told}@" if self._credentials else ""
        return f"redis://{known}{HOST}:{port}"

    async def _ask(self, port: int, command: str) -> str:
        """The answer to ``command``: a bulk string, or the lines of a list of them."""
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            if self._credentials is not None:
                writer.write(f"AUTH {self._credentials.password}\r\n".encode())
                if (said := await reader.readline()) != b"+OK\r\n":
                    raise ServerProgramError(
                        f"the password of this trial is not accepted: {said!r}"
                    )
            writer.write(f"{command}\r\n".encode())
            head = await reader.readline()
            if not head.startswith((b"$", b"*")):
                raise ConnectionResetError(f"no answer to {command}: {head!r}")
            length = int(head[1:])
            if head.startswith(b"$"):
                return (await reader.readexactly(length)).decode()
            lines = [await reader.readline() for _ in range(2 * length)]
            return b"".join(lines).decode()
        except asyncio.IncompleteReadError as error:
            raise ConnectionResetError(f"half an answer to {command}") from error
        finally:
            writer.close()


def _named(port: int) -> str:
    return f"wirelab-{port}"


async def play(worker: Worker) -> None:
    """Serve until told to stop."""
    await serve(worker, Redis(asked_for(worker.spec)))


if __name__ == "__main__":
    main(play)
