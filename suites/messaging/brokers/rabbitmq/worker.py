"""The service ``rabbitmq``: Debian's RabbitMQ for the length of a trial, without plugins."""

from __future__ import annotations

from credentials import Credentials
from greeting import version_at

from wirelab_sdk import Worker, main
from wirelab_sdk.rabbitmq_server import RabbitMqServer
from wirelab_sdk.server_program import HOST, ServerProgramError, serve


class RabbitMq(RabbitMqServer):
    """A node that speaks AMQP."""

    def __init__(self, credentials: Credentials) -> None:
        super().__init__(credentials.user, credentials.password)
        self._credentials = credentials

    def listeners(self, port: int) -> str:
        """AMQP alone."""
        return f"listeners.tcp.1 = {HOST}:{port}\n"

    async def version(self, port: int) -> str:
        """The first frame of a connection has the properties of the server."""
        if (version := await version_at(HOST, port)) is None:
            raise ServerProgramError(f"what answers at port {port} is no RabbitMQ")
        return version

    def endpoint(self, port: int) -> str:
        """A URL of the client libraries; this broker never goes without a password."""
        return f"amqp://{self._credentials.in_address}{HOST}:{port}"


async def play(worker: Worker) -> None:
    """Serve until told to stop."""
    await serve(worker, RabbitMq(Credentials.of(worker.spec)))


if __name__ == "__main__":
    main(play)
