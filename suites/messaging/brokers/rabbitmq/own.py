"""The stand-in ``own-rabbitmq``: queues and an exchange of our name, gone with their clients."""

from __future__ import annotations

from greeting import version_at

from wirelab_sdk import Spec
from wirelab_sdk.own_server import OwnServer, OwnServerError, OwnTarget, play


class OwnRabbitMq(OwnServer):
    """Its counters are a plugin's, at another port: clients of the protocol see none."""

    name = "RabbitMQ"

    async def version(self) -> str:
        """A server greets whoever connects with what it is."""
        try:
            version = await version_at(self.host, self.port)
        except ConnectionResetError:
            version = None
        if version is None:
            raise OwnServerError(f"what answers at {self.address} is no RabbitMQ")
        return version

    @property
    def endpoint(self) -> str:
        """A URL of the client libraries."""
        return f"amqp://{self.login.placeholder}{self.address}"


def make(_spec: Spec, target: OwnTarget) -> OwnRabbitMq:
    """The server at the target."""
    return OwnRabbitMq(target)


if __name__ == "__main__":
    play(make)
