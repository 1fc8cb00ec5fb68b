"""The contender `fastapi-sse`: one process, FastAPI on uvicorn."""

from __future__ import annotations

import asyncio
import gc
from importlib.metadata import version

import uvicorn
import uvloop
from whiteboard import PATH, whiteboard

from wirelab_sdk import Spec, Worker, address_of, bound_socket, main


def configuration(spec: Spec) -> uvicorn.Config:
    """uvicorn as `[tuning]` asks for it."""
    return uvicorn.Config(
        whiteboard(spec.parameter("member_backlog", 4096)),
        http="httptools",
        ws="none",
        backlog=spec.parameter("listen_backlog", 4096),
        lifespan="off",
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=1,
    )


def settle_memory(spec: Spec) -> None:
    """Apply the collector's tuning once everything that stays has been allocated."""
    if spec.parameter("gc_freeze", False):
        gc.collect()
        gc.freeze()
    if threshold := spec.parameter("gc_threshold", 0):
        gc.set_threshold(threshold)


async def serve(worker: Worker) -> None:
    """Fill the role `server` until told to stop."""
    listener = bound_socket(worker.spec.listen)
    server = uvicorn.Server(configuration(worker.spec))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        if serving.done():
            raise RuntimeError("uvicorn ended before it served") from serving.exception()
        await asyncio.sleep(0.01)
    settle_memory(worker.spec)
    worker.ready(
        "FastAPI",
        version("fastapi"),
        endpoint=f"http://{address_of(listener)}{PATH}",
        facts={"protocol": "sse"},
    )
    stopped = asyncio.create_task(worker.stopped())
    await asyncio.wait({stopped, serving}, return_when=asyncio.FIRST_COMPLETED)
    if not stopped.done():
        raise RuntimeError("uvicorn ended by itself") from serving.exception()
    server.should_exit = True
    await serving


if __name__ == "__main__":
    main(serve, loop_factory=uvloop.new_event_loop)
