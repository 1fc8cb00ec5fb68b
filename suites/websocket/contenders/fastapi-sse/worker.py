"""The contender `fastapi-sse`: one process, FastAPI on uvicorn."""

from __future__ import annotations

from importlib.metadata import version

import uvicorn
import uvloop
from memory import settle_memory
from uvicorn_server import serving, until_stopped
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


async def serve(worker: Worker) -> None:
    """Fill the role `server` until told to stop."""
    spec = worker.spec
    listener = bound_socket(spec.listen)
    async with serving(configuration(spec), listener) as at_work:
        settle_memory(
            freeze=spec.parameter("gc_freeze", False), threshold=spec.parameter("gc_threshold", 0)
        )
        worker.ready(
            "FastAPI",
            version("fastapi"),
            endpoint=f"http://{address_of(listener)}{PATH}",
            facts={"protocol": "sse"},
        )
        await until_stopped(worker, at_work)


if __name__ == "__main__":
    main(serve, loop_factory=uvloop.new_event_loop)
