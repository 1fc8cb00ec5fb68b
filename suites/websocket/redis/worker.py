"""The role `redis` of the suite `websocket`: Debian's redis-server, for the length of a trial."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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
    *("--bind", HOST, "--protected-mode", "yes", "--daemonize", "no"),
    # Nothing is kept: neither snapshots nor a log of commands.
    *("--save", "", "--appendonly", "no"),
)


class Redis(ServerProgram):
    """redis-server, whose memory is its own figure."""

    name = "Redis"

    async def commands(self, port: int, folder: Path) -> list[Command]:
        """All of it on its command line."""
        words = (find_program("redis-server"), "--port", str(port), "--dir", folder)
        return [Command((*words, *_SETTINGS, "--syslog-ident", _named(port)))]

    async def version(self, port: int) -> str:
        """It tells its version, and by a setting of this trial's own that it is the right one."""
        if _named(port) not in await _ask(port, "CONFIG GET syslog-ident"):
            raise ServerProgramError(f"port {port} belongs to another Redis")
        return (await _info(port, "server"))["redis_version"]

    async def runtime(self, port: int) -> Mapping[str, Any]:
        """Bytes that Redis says it has allocated."""
        used = int((await _info(port, "memory"))["used_memory"])
        return {"heap_bytes": used, "heap_kind": "used_memory of Redis"}

    def endpoint(self, port: int) -> str:
        """A URL of the client libraries."""
        return f"redis://{HOST}:{port}"


def _named(port: int) -> str:
    return f"wirelab-{port}"


async def _info(port: int, section: str) -> dict[str, str]:
    lines = (await _ask(port, f"INFO {section}")).splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)


async def _ask(port: int, command: str) -> str:
    """The answer to ``command``: a string, or the lines of a list of strings."""
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
