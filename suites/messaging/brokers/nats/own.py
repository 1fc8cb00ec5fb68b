"""The stand-in ``own-nats``: a NATS server of the user's own; subjects begin with our name."""

from __future__ import annotations

import asyncio
import json

from wirelab_sdk import Spec
from wirelab_sdk.own_server import OwnServer, OwnServerError, OwnTarget, play


class OwnNats(OwnServer):
    """Its counters are for its operators: no client can read them."""

    name = "NATS server"

    async def version(self) -> str:
        """A server greets whoever connects with what it is."""
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            verb, _, said = (await reader.readline()).decode(errors="replace").partition(" ")
        finally:
            writer.close()
        if verb != "INFO":
            raise OwnServerError(f"what answers at {self.address} is no NATS server")
        return str(json.loads(said)["version"])

    @property
    def endpoint(self) -> str:
        """A URL of the client libraries."""
        return f"nats://{self.login.placeholder}{self.address}"


def make(_spec: Spec, target: OwnTarget) -> OwnNats:
    """The server at the target."""
    return OwnNats(target)


if __name__ == "__main__":
    play(make)
