"""The contender ``python-mqtt``: aiomqtt on asyncio, which is paho-mqtt's client underneath."""

from __future__ import annotations

import asyncio
import socket
import uuid
from importlib.metadata import version
from urllib.parse import urlsplit

from aiomqtt import Client, MqttError, ProtocolVersion
from aiomqtt.exceptions import MqttConnectError
from messaging_harness import Inbox, Link, play

from wirelab_sdk import Failure, Spec, Status, Worker, main

_EVERYBODY = "wirelab/all"
_NO_DELAY = (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
_SECOND = 1_000_000_000


class MqttTransport:
    """A client with a connection of its own for each user."""

    library = ("aiomqtt", version("aiomqtt"))
    reconnects_itself = False

    def __init__(self, spec: Spec) -> None:
        self._server = urlsplit(spec.endpoints["server"])
        self._qos = spec.parameter("qos", 0)
        self._limit_s = spec.limits.operation_ns / _SECOND

    async def connect(self, user: int, inbox: Inbox) -> Link:
        """Connect and subscribe; returns when the broker has confirmed it."""
        client = Client(
            self._server.hostname or "",
            self._server.port or 1883,
            username=self._server.username,
            password=self._server.password,
            identifier=f"u{user}-{uuid.uuid4()}",
            protocol=ProtocolVersion.V5,
            timeout=self._limit_s,
            # A message is a write for its head and one for the rest where it is long.
            socket_options=[_NO_DELAY],
        )
        link = MqttLink(client, f"wirelab/user/{user}", self._qos, inbox)
        await link.join([_EVERYBODY] if inbox.listens else [])
        return link

    def explain(self, error: BaseException) -> Failure:
        """aiomqtt says nearly everything with one class; its cause and its text tell more."""
        status = Status.ERROR
        if isinstance(error, MqttError):
            cause = error.__cause__ or error.__context__
            if "timed out" in str(error):
                status = Status.TIMEOUT
            elif isinstance(error, MqttConnectError) or isinstance(cause, ConnectionRefusedError):
                status = Status.REFUSED
            elif "isconnect" in str(error) or "not currently connected" in str(error):
                status = Status.DISCONNECTED
        return Failure(status, type(error).__name__, "", str(error))

    async def close(self) -> None:
        """Users share nothing."""


class MqttLink:
    """One user."""

    def __init__(self, client: Client, topic: str, qos: int, inbox: Inbox) -> None:
        self._client = client
        self._topic = topic
        self._qos = qos
        self._inbox = inbox
        self._reply: asyncio.Future[bytes] | None = None
        self._reading: asyncio.Task[None] | None = None

    async def join(self, others: list[str]) -> None:
        """Connect, and subscribe to the own topic and ``others``."""
        await self._client.__aenter__()
        self._reading = asyncio.create_task(self._read())
        try:
            await self._client.subscribe([(topic, self._qos) for topic in (self._topic, *others)])
        except BaseException:
            await self.close()
            raise

    async def _read(self) -> None:
        try:
            async for message in self._client.messages:
                content = bytes(message.payload)
                if message.topic.value != self._topic:
                    self._inbox.delivered(content)
                elif self._reply is not None and not self._reply.done():
                    self._reply.set_result(content)
        except MqttError as error:
            if self._reply is not None and not self._reply.done():
                self._reply.set_exception(error)

    async def echo(self, message: bytes) -> bytes:
        """Publish to the own topic."""
        if self._reading is None or self._reading.done():
            raise MqttError("Disconnected: nothing is received any more")
        self._reply = asyncio.get_running_loop().create_future()
        await self._client.publish(self._topic, message, self._qos)
        return await self._reply

    async def broadcast(self, message: bytes) -> None:
        """Publish to the topic that everybody is subscribed to."""
        await self._client.publish(_EVERYBODY, message, self._qos)

    async def close(self) -> None:
        """Disconnect; the broker forgets a clean session with it."""
        if self._reading is not None:
            self._reading.cancel()
        await self._client.__aexit__(None, None, None)

    async def abandon(self) -> None:
        """The library has no way to leave without a goodbye."""
        await self.close()


async def _client(worker: Worker) -> None:
    await play(worker, MqttTransport)


if __name__ == "__main__":
    main(_client)
