"""The service ``redis``: Debian's redis-server for the length of a trial."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from credentials import Credentials, asked_for

from wirelab_sdk import Worker, main
from wirelab_sdk.redis_server import RedisServer, calls_of
from wirelab_sdk.server_program import HOST, ProgramCommand, find_program, serve

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


class Redis(RedisServer):
    """redis-server: one thread for commands, publish and subscribe alone."""

    def __init__(self, credentials: Credentials | None) -> None:
        self._credentials = credentials
        self.password = credentials.password if credentials else ""

    async def commands(self, port: int, folder: Path) -> list[ProgramCommand]:
        """All of it on its command line."""
        words = (find_program("redis-server"), "--port", str(port), "--dir", folder)
        named = self.own_name(port)
        guard = ("--requirepass", self._credentials.password) if self._credentials else ()
        return [ProgramCommand((*words, *_SETTINGS, *named, *guard))]

    async def served(self, port: int) -> Mapping[str, int]:
        """Messages that were published, and bytes of all that came."""
        told = await self.info(port, "all")
        return {
            "published": calls_of(told, "publish"),
            "bytes": int(told["total_net_input_bytes"]),
        }

    def endpoint(self, port: int) -> str:
        """A URL of the client libraries; a password alone is that of the default user."""
        known = f":{self._credentials.told}@" if self._credentials else ""
        return f"redis://{known}{HOST}:{port}"


async def play(worker: Worker) -> None:
    """Serve until told to stop."""
    await serve(worker, Redis(asked_for(worker.spec)))


if __name__ == "__main__":
    main(play)
