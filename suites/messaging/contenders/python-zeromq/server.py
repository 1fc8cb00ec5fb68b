"""The server of ``python-zeromq``: a ROUTER answers, an XPUB tells everybody."""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import Coroutine
from typing import Any

import zmq
import zmq.asyncio
from messaging_harness import SecondAddress

from wirelab_sdk import Worker

_SERVED_AT = 24
_STAMPED = _SERVED_AT + 8
_ALL = b"all"
_GREETING = b"hello."
_PATIENCE_S = 0.001
_TCP = "tcp://"


async def serve(worker: Worker) -> None:
    """Answer and publish until told to stop."""
    context = zmq.asyncio.Context()
    context.max_sockets = 64
    mark = worker.spec.parameter("high_water_mark", 1000)
    asks = _bound(context, zmq.ROUTER, mark, _TCP + worker.spec.listen)
    second = SecondAddress(worker.spec, "publisher")
    publisher = _bound(context, zmq.XPUB, mark, _TCP + second.wanted)
    # A subscriber for which too much waits holds the publisher up: the default drops in silence.
    publisher.setsockopt(zmq.XPUB_NODROP, 1)
    endpoints = [socket.last_endpoint.decode() for socket in (asks, publisher)]
    second.taken(endpoints[1].removeprefix(_TCP))
    worker.ready("pyzmq", zmq.pyzmq_version(), endpoint=" ".join(endpoints), facts={"stamps": True})
    try:
        await _until_stopped(worker, _answer(asks, publisher), _greet(publisher))
    finally:
        context.destroy(linger=0)


async def _until_stopped(worker: Worker, *serving: Coroutine[Any, Any, None]) -> None:
    """Serve until told to stop; raise what ends a service earlier."""
    stopped = asyncio.create_task(worker.stopped())
    tasks = [asyncio.create_task(service) for service in serving]
    ended, _ = await asyncio.wait({stopped, *tasks}, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    for task in ended:
        task.result()


def _bound(context: zmq.asyncio.Context, kind: int, mark: int, at: str) -> zmq.asyncio.Socket:
    socket = context.socket(kind)
    socket.sndhwm = socket.rcvhwm = mark
    socket.bind(at)
    return socket


async def _answer(asks: zmq.asyncio.Socket, publisher: zmq.asyncio.Socket) -> None:
    """Echo and publish; what is neither is passed over."""
    while True:
        match await asks.recv_multipart():
            case [sender, b"e", message] if len(message) >= _STAMPED:
                answer = bytearray(message)
                struct.pack_into("<Q", answer, _SERVED_AT, time.monotonic_ns())
                await asks.send_multipart([sender, answer])
            case [_, b"b", message]:
                await _publish(publisher, [_ALL, message])


async def _greet(publisher: zmq.asyncio.Socket) -> None:
    """Subscribing is not answered: a topic of the subscriber's own, asked for last, is greeted."""
    while True:
        event = await publisher.recv()
        if event[:1] == b"\x01" and event[1:].startswith(_GREETING):
            await _publish(publisher, [event[1:], b""])


async def _publish(publisher: zmq.asyncio.Socket, frames: list[bytes]) -> None:
    """Publish as soon as no subscriber's queue is full.

    An XPUB always says that it can send, also when XPUB_NODROP then refuses: pyzmq cannot wait
    for it, and raises.
    """
    while True:
        try:
            await publisher.send_multipart(frames)
        except zmq.Again:
            await asyncio.sleep(_PATIENCE_S)
        else:
            return
