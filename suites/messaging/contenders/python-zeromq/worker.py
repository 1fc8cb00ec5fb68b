"""The contender ``python-zeromq``: pyzmq on asyncio, clients and server."""

from __future__ import annotations

import asyncio
import sys

import zmq
import zmq.asyncio
from messaging_harness import Inbox, Link, play
from server import serve

from wirelab_sdk import Failure, Spec, Status, Worker, explain, main

_GREETING = b"hello."


class ZeroTransport:
    """A DEALER for each user, and a SUB where others send to it; one context for all."""

    library = ("pyzmq", f"{zmq.pyzmq_version()} (libzmq {zmq.zmq_version()})")
    reconnects_itself = True

    def __init__(self, spec: Spec) -> None:
        self._context = zmq.asyncio.Context()
        self._context.max_sockets = 16_384
        self._asks, self._publishes = spec.endpoints["server"].split(" ")
        self._mark = spec.parameter("high_water_mark", 1000)

    async def connect(self, user: int, inbox: Inbox) -> Link:
        """Connect; with deliveries, return when the publisher greets a topic of this user."""
        link = ZeroLink(self._socket(zmq.DEALER, self._asks), inbox)
        if inbox.listens:
            subscription = self._socket(zmq.SUB, self._publishes)
            subscription.subscribe(b"all")
            # Ended by a point: a topic is subscribed to by how it begins.
            subscription.subscribe(_GREETING + b"%d." % user)
            try:
                await link.listen(subscription)
            except BaseException:
                # Nobody would read it, and a publisher that drops nothing waits for it.
                await link.close()
                raise
        return link

    def _socket(self, kind: int, endpoint: str) -> zmq.asyncio.Socket:
        socket = self._context.socket(kind)
        socket.linger = 0
        socket.sndhwm = socket.rcvhwm = self._mark
        socket.connect(endpoint)
        return socket

    def explain(self, error: BaseException) -> Failure:
        """Sockets connect again by themselves and tell nobody: a caller sees time-outs."""
        if isinstance(error, zmq.Again):
            return Failure(Status.TIMEOUT, type(error).__name__, str(error.errno), str(error))
        return explain(error)

    async def close(self) -> None:
        """Close every socket that is left."""
        self._context.destroy(linger=0)


class ZeroLink:
    """One user."""

    def __init__(self, dealer: zmq.asyncio.Socket, inbox: Inbox) -> None:
        self._dealer = dealer
        self._inbox = inbox
        self._subscription: zmq.asyncio.Socket | None = None
        self._reading: asyncio.Task[None] | None = None

    async def listen(self, subscription: zmq.asyncio.Socket) -> None:
        """Wait for the greeting, then take what is published."""
        self._subscription = subscription
        await subscription.recv_multipart()
        self._reading = asyncio.create_task(self._read(subscription))

    async def _read(self, subscription: zmq.asyncio.Socket) -> None:
        while True:
            _, message = await subscription.recv_multipart()
            self._inbox.delivered(message)

    async def echo(self, message: bytes) -> bytes:
        """Ask the ROUTER."""
        await self._dealer.send_multipart([b"e", message])
        reply: bytes = await self._dealer.recv()
        return reply

    async def broadcast(self, message: bytes) -> None:
        """Hand it to the ROUTER, which publishes it."""
        await self._dealer.send_multipart([b"b", message])

    async def close(self) -> None:
        """Close both sockets."""
        if self._reading is not None:
            self._reading.cancel()
        for socket in (self._dealer, self._subscription):
            if socket is not None:
                socket.close(linger=0)

    async def abandon(self) -> None:
        """ZeroMQ has no goodbye."""
        await self.close()


async def _role(worker: Worker) -> None:
    await (serve(worker) if sys.argv[1] == "server" else play(worker, ZeroTransport))


if __name__ == "__main__":
    main(_role)
