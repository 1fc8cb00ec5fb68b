"""The role ``rabbitmq``: Debian's RabbitMQ with its STOMP plugin, for the length of a trial."""

from __future__ import annotations

import asyncio
import hashlib
import re

from wirelab_sdk import Spec, Worker, main
from wirelab_sdk.rabbitmq_server import RabbitMqServer
from wirelab_sdk.server_program import HOST, ServerProgramError, serve

_USER = "wirelab"
_SERVER = re.compile(rb"\nserver:RabbitMQ/(\S+)")


class RabbitMq(RabbitMqServer):
    """A node that speaks STOMP and nothing else."""

    plugins = ("rabbitmq_stomp",)

    def listeners(self, port: int) -> str:
        """STOMP alone."""
        return f"listeners.tcp = none\nstomp.listeners.tcp.1 = {HOST}:{port}\n"

    async def version(self, port: int) -> str:
        """The version in its answer to a login."""
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            login = f"login:{self._user}\npasscode:{self._password}"
            writer.write(f"CONNECT\naccept-version:1.2\nhost:/\n{login}\n\n\0".encode())
            answer = await reader.readuntil(b"\0")
        except asyncio.IncompleteReadError as error:
            raise ConnectionResetError("RabbitMQ did not answer a login") from error
        finally:
            writer.close()
        if (found := _SERVER.search(answer)) is None:
            raise ServerProgramError(f"port {port} is not RabbitMQ's: {answer[:60]!r}")
        return found[1].decode()

    def endpoint(self, port: int) -> str:
        """A URL with the login of a relay."""
        return f"stomp://{self._user}:{self._password}@{HOST}:{port}"


def password(spec: Spec) -> str:
    """The same after a restart, so that clients which have it can come back."""
    return hashlib.sha256(f"{spec.trial} {spec.seed}".encode()).hexdigest()[:32]


async def play(worker: Worker) -> None:
    """Serve until told to stop."""
    await serve(worker, RabbitMq(_USER, password(worker.spec)))


if __name__ == "__main__":
    main(play)
