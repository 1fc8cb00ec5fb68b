"""The contender ``python-nats``: nats-py on asyncio."""

from __future__ import annotations

import asyncio
from importlib.metadata import version

import nats
from messaging_harness import Inbox, Link, play
from nats import errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from wirelab_sdk import Failure, Spec, Status, Worker, main

_EVERYBODY = "wirelab.all"


class NatsTransport:
    """A connection for each user; the library makes lost ones again."""

    library = ("nats-py", version("nats-py"))
    reconnects_itself = True

    def __init__(self, spec: Spec) -> None:
        self._server = spec.endpoints["server"]
        self._wait_s = spec.parameter("reconnect_wait_ms", 100) / 1000
        self._flushes = spec.parameter("flush_every", 1)

    async def connect(self, user: int, inbox: Inbox) -> Link:
        """Connect and subscribe; a flush says that the server has heard of it."""
        client = await nats.connect(
            self._server, reconnect_time_wait=self._wait_s, error_cb=_ignore, allow_reconnect=True
        )
        link = NatsLink(client, f"wirelab.user.{user}", self._flushes)
        try:
            await link.subscribe(inbox)
        except BaseException:
            await link.close()
            raise
        return link

    def explain(self, error: BaseException) -> Failure:
        """nats-py has exceptions of its own for what Python has names for."""
        status = Status.ERROR
        if isinstance(error, errors.TimeoutError):
            status = Status.TIMEOUT
        elif isinstance(error, errors.NoServersError | ConnectionRefusedError):
            status = Status.REFUSED
        elif isinstance(error, errors.ConnectionClosedError | errors.StaleConnectionError):
            status = Status.DISCONNECTED
        return Failure(status, type(error).__name__, "", str(error))

    async def close(self) -> None:
        """Users share nothing."""


class NatsLink:
    """One user."""

    def __init__(self, client: Client, subject: str, flushes: int) -> None:
        self._client = client
        self._subject = subject
        self._flushes = flushes
        self._sent = 0
        self._reply: asyncio.Future[bytes] | None = None

    async def subscribe(self, inbox: Inbox) -> None:
        """Subscribe to the own subject and to that of all, and wait until the server has heard."""
        await self._client.subscribe(self._subject, cb=self._replied)
        if inbox.listens:

            async def deliver(message: Msg) -> None:
                inbox.delivered(message.data)

            await self._client.subscribe(_EVERYBODY, cb=deliver)
        await self._client.flush()

    async def _replied(self, message: Msg) -> None:
        """Take what came to the own subject."""
        if self._reply is not None and not self._reply.done():
            self._reply.set_result(message.data)

    async def echo(self, message: bytes) -> bytes:
        """Publish to the own subject."""
        self._reply = asyncio.get_running_loop().create_future()
        await self._client.publish(self._subject, message)
        return await self._reply

    async def broadcast(self, message: bytes) -> None:
        """Publish to all, and let the server catch up as often as the tuning says."""
        await self._client.publish(_EVERYBODY, message)
        self._sent += 1
        if self._flushes and self._sent % self._flushes == 0:
            await self._client.flush()

    async def stream(self, messages: list[bytes]) -> None:
        """Publish, and wait for nobody: who is behind has its messages late."""
        for message in messages:
            await self._client.publish(_EVERYBODY, message)

    async def close(self) -> None:
        """Close the connection; the server forgets the subscriptions with it."""
        await self._client.close()

    async def abandon(self) -> None:
        """NATS has no goodbye."""
        await self.close()


async def _ignore(error: Exception) -> None:
    """Errors reach the caller of the operation that they concern."""


async def _client(worker: Worker) -> None:
    await play(worker, NatsTransport)


if __name__ == "__main__":
    main(_client)
