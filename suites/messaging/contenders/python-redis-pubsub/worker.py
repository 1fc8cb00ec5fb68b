"""The contender ``python-redis-pubsub``: redis-py on asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from importlib.metadata import version

import redis.asyncio as redis
from messaging_harness import Inbox, Link, play
from redis import exceptions

from wirelab_sdk import Failure, Spec, Status, Worker, main

_EVERYBODY = b"wirelab.all"


class RedisTransport:
    """A connection to publish on and one that is subscribed, for each user."""

    library = ("redis-py", version("redis"))
    reconnects_itself = False

    def __init__(self, spec: Spec) -> None:
        self._url = spec.endpoints["server"]

    async def connect(self, user: int, inbox: Inbox) -> Link:
        """Connect both; returns when Redis has confirmed the subscriptions."""
        client = redis.Redis.from_url(self._url, single_connection_client=True)
        link = RedisLink(client, b"wirelab.user.%d" % user, inbox)
        try:
            await link.subscribe([_EVERYBODY] if inbox.listens else [])
        except BaseException:
            await link.close()
            raise
        return link

    def explain(self, error: BaseException) -> Failure:
        """redis-py has exceptions of its own for what Python has names for."""
        status = Status.ERROR
        if isinstance(error, exceptions.TimeoutError):
            status = Status.TIMEOUT
        elif isinstance(error, exceptions.ConnectionError):
            refused = "111" in str(error) or "refused" in str(error).lower()
            status = Status.REFUSED if refused else Status.DISCONNECTED
        return Failure(status, type(error).__name__, "", str(error))

    async def close(self) -> None:
        """Users share nothing."""


class RedisLink:
    """One user."""

    def __init__(self, client: redis.Redis, channel: bytes, inbox: Inbox) -> None:
        self._client = client
        self._pubsub = client.pubsub()
        self._channel = channel
        self._inbox = inbox
        self._reply: asyncio.Future[bytes] | None = None
        self._reading: asyncio.Task[None] | None = None

    async def subscribe(self, others: list[bytes]) -> None:
        """Subscribe to the own channel and ``others``, and wait until Redis says so."""
        await self._client.ping()
        channels = [self._channel, *others]
        await self._pubsub.subscribe(*channels)
        for _ in channels:
            await self._pubsub.get_message(timeout=None)
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for message in self._messages():
                if message["channel"] != self._channel:
                    self._inbox.delivered(message["data"])
                elif self._reply is not None and not self._reply.done():
                    self._reply.set_result(message["data"])
        except (exceptions.RedisError, OSError) as error:
            if self._reply is not None and not self._reply.done():
                self._reply.set_exception(error)

    async def _messages(self) -> AsyncIterator[dict[str, bytes]]:
        async for message in self._pubsub.listen():
            if message["type"] == "message":
                yield message

    async def echo(self, message: bytes) -> bytes:
        """Publish to the own channel."""
        if self._reading is None or self._reading.done():
            raise exceptions.ConnectionError("the subscription was lost")
        self._reply = asyncio.get_running_loop().create_future()
        await self._client.publish(self._channel, message)
        return await self._reply

    async def broadcast(self, message: bytes) -> None:
        """Publish to the channel that everybody is subscribed to."""
        await self._client.publish(_EVERYBODY, message)

    async def stream(self, messages: list[bytes]) -> None:
        """Publish in one pipeline; Redis says of each message that it has taken it."""
        async with self._client.pipeline(transaction=False) as pipe:
            for message in messages:
                pipe.publish(_EVERYBODY, message)
            await pipe.execute()

    async def close(self) -> None:
        """Close both connections; Redis forgets the subscriptions with them."""
        if self._reading is not None:
            self._reading.cancel()
        await self._pubsub.aclose()
        await self._client.aclose()

    async def abandon(self) -> None:
        """Redis has no goodbye."""
        await self.close()


async def _client(worker: Worker) -> None:
    await play(worker, RedisTransport)


if __name__ == "__main__":
    main(_client)
