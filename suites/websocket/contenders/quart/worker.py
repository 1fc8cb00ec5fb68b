"""The contender `quart`: one process, Quart on Hypercorn."""

from __future__ import annotations

import asyncio
import socket
from importlib.metadata import version

import uvloop
from hypercorn.asyncio import serve as hypercorn
from hypercorn.config import Config
from members import Boards
from memory import settle_memory
from whiteboard import PATH, whiteboard

from wirelab_sdk import Spec, Worker, address_of, bound_socket, main


def configuration(spec: Spec, listener: socket.socket) -> Config:
    """Hypercorn as `[tuning]` asks for it."""
    config = Config()
    # A descriptor of its own, which it closes.
    config.bind = [f"fd://{listener.dup().detach()}"]
    config.backlog = spec.parameter("listen_backlog", 4096)
    config.websocket_max_message_size = spec.parameter("max_message_bytes", 65536)
    config.websocket_ping_interval = None
    config.accesslog = None
    config.loglevel = "WARNING"
    config.graceful_timeout = 1.0
    return config


async def serve(worker: Worker) -> None:
    """Fill the role `server` until told to stop."""
    spec = worker.spec
    listener = bound_socket(spec.listen)
    address = address_of(listener)
    boards = Boards()
    app = whiteboard(boards, spec.parameter("member_backlog", 4096))
    started = asyncio.Event()

    @app.before_serving
    async def say_started() -> None:
        # Quart calls a plain function in a thread, and an event is its loop's alone.
        started.set()

    async def stop() -> None:
        await worker.stopped()
        # Hypercorn would wait for them, and then cut them off with a traceback each.
        boards.dismiss()

    config = configuration(spec, listener)
    serving = asyncio.create_task(hypercorn(app, config, shutdown_trigger=stop))
    await started.wait()
    # Hypercorn listens only after this event: until then the kernel keeps who connects.
    listener.listen(config.backlog)
    settle_memory(
        freeze=spec.parameter("gc_freeze", False), threshold=spec.parameter("gc_threshold", 0)
    )
    worker.ready(
        "Quart",
        version("quart"),
        endpoint=f"ws://{address}{PATH}",
        facts={"protocol": "json"},
    )
    await serving


if __name__ == "__main__":
    main(serve, loop_factory=uvloop.new_event_loop)
