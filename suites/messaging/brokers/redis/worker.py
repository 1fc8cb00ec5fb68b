"""The neutral program ``redis``: Debian's redis-server for the length of a trial."""

from __future__ import annotations

import asyncio
from pathlib import Path

from broker import HOST, BrokerError, Command, program, serve

from wirelab_sdk import Worker, main

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


class Redis:
    """redis-server: one thread for commands, publish and subscribe alone."""

    name = "Redis"

    async def commands(self, port: int, folder: Path) -> list[Command]:
        """All of it on its command line."""
        words = (program("redis-server"), "--port", str(port), "--dir", folder)
        named = ("--syslog-ident", _named(port))
        return [Command((*words, *_SETTINGS, *named))]

    async def version(self, port: int) -> str:
        """It tells its version, and by a setting of this trial's own that it is the right one."""
        if _named(port) not in await _ask(port, "CONFIG GET syslog-ident"):
            raise BrokerError(f"port {port} belongs to another Redis")
        lines = (await _ask(port, "INFO server")).splitlines()
        server = dict(line.split(":", 1) for line in lines if ":" in line)
        return server["redis_version"]

    def endpoint(self, port: int) -> str:
        """A URL of the client libraries."""
        return f"redis://{HOST}:{port}"


def _named(port: int) -> str:
    return f"wirelab-{port}"


async def _ask(port: int, command: str) -> str:
    """The answer to ``command``: a bulk string, or the lines of a list of them."""
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
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


async def play(worker: Worker) -> None:
    """Serve until told to stop."""
    await serve(worker, Redis())


if __name__ == "__main__":
    main(play)
