"""The service ``nats``: Debian's nats-server for a trial, without JetStream."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from credentials import Credentials, asked_for

from wirelab_sdk import Worker, main
from wirelab_sdk.server_program import (
    HOST,
    ProgramCommand,
    ServerProgram,
    ServerProgramError,
    find_program,
    serve,
)

# Of one connection, in bytes, before it counts as too slow and is cut off. The default of 64 MB is
# less than what 500 clients that send 300 messages each have for one of them.
_PENDING = 256 * 1024 * 1024


class Nats(ServerProgram):
    """nats-server: clients publish to subjects, nothing is kept."""

    name = "NATS server"

    def __init__(self, credentials: Credentials | None) -> None:
        self._credentials = credentials

    async def commands(self, port: int, folder: Path) -> list[ProgramCommand]:
        """Its configuration is a file: the options of its command line do not cover it."""
        settings: dict[str, object] = {
            "listen": f"{HOST}:{port}",
            "server_name": _named(port),
            "max_pending": _PENDING,
            "max_payload": 16 * 1024 * 1024,
            "logtime": False,
        }
        if self._credentials is not None:
            known = {"user": self._credentials.user, "password": self._credentials.password}
            settings["authorization"] = known
        file = folder / "nats.json"
        file.write_text(json.dumps(settings), "utf-8")
        return [ProgramCommand((find_program("nats-server"), "--config", file))]

    async def version(self, port: int) -> str:
        """A server greets whoever connects with what it is."""
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            verb, _, said = (await reader.readline()).decode().partition(" ")
            if verb != "INFO":
                raise ConnectionResetError("it did not send the greeting of a NATS server")
            server = json.loads(said)
            if server["server_name"] != _named(port):
                raise ServerProgramError(f"port {port} belongs to another NATS server")
            return str(server["version"])
        finally:
            writer.close()

    def endpoint(self, port: int) -> str:
        """A URL of the client libraries."""
        known = self._credentials.in_address if self._credentials else ""
        return f"nats://{known}{HOST}:{port}"


def _named(port: int) -> str:
    return f"wirelab-{port}"


async def play(worker: Worker) -> None:
    """Serve until told to stop."""
    await serve(worker, Nats(asked_for(worker.spec)))


if __name__ == "__main__":
    main(play)
