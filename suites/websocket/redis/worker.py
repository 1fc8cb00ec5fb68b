"""The role `redis` of the suite `websocket`: Debian's redis-server, for the length of a trial."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wirelab_sdk import Worker, main
from wirelab_sdk.redis_server import RedisServer, calls_of
from wirelab_sdk.server_program import HOST, ProgramCommand, find_program, serve

_SETTINGS = (
    *("--bind", HOST, "--protected-mode", "yes", "--daemonize", "no"),
    # Nothing is kept: neither snapshots nor a log of commands.
    *("--save", "", "--appendonly", "no"),
)


class Redis(RedisServer):
    """redis-server, whose memory is its own figure."""

    async def commands(self, port: int, folder: Path) -> list[ProgramCommand]:
        """All of it on its command line."""
        words = (find_program("redis-server"), "--port", str(port), "--dir", folder)
        return [ProgramCommand((*words, *_SETTINGS, *self.own_name(port)))]

    async def runtime(self, port: int) -> Mapping[str, Any]:
        """Bytes that Redis says it has allocated."""
        used = int((await self.info(port, "memory"))["used_memory"])
        return {"heap_bytes": used, "heap_kind": "used_memory of Redis"}

    async def served(self, port: int) -> Mapping[str, int]:
        """Strokes that were published: each goes through Redis by itself."""
        told = await self.info(port, "commandstats")
        return {"published": calls_of(told, "publish") + calls_of(told, "spublish")}

    def endpoint(self, port: int) -> str:
        """A URL of the client libraries."""
        return f"redis://{HOST}:{port}"


async def play(worker: Worker) -> None:
    """Serve until told to stop."""
    await serve(worker, Redis())


if __name__ == "__main__":
    main(play)
