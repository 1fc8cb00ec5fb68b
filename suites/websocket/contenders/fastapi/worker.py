"""The contender `fastapi`: one process, FastAPI on uvicorn, nginx before it if asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

import uvicorn
import uvloop
from members import WAYS
from memory import settle_memory
from nginx import before
from uvicorn_server import serving, until_stopped
from whiteboard import PATH, whiteboard

from wirelab_sdk import Spec, Worker, address_of, bound_socket, main
from wirelab_sdk.server_program import HOST

_MS = 1000


def configuration(spec: Spec) -> uvicorn.Config:
    """uvicorn as `[tuning]` asks for it; what the suite forbids is off."""
    return uvicorn.Config(
        whiteboard(
            spec.parameter("member_backlog", 4096), WAYS[spec.parameter("fan_out", "queue")]
        ),
        ws="websockets-sansio",
        http="httptools",
        ws_max_size=spec.parameter("max_message_bytes", 65536),
        ws_per_message_deflate=False,
        ws_ping_interval=spec.parameter("ping_interval_ms", 0) / _MS or None,
        ws_ping_timeout=spec.parameter("ping_timeout_ms", 20_000) / _MS,
        backlog=spec.parameter("listen_backlog", 4096),
        lifespan="off",
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=1,
    )


@asynccontextmanager
async def reached(spec: Spec, address: str) -> AsyncIterator[str]:
    """The address that users are told: uvicorn's own, or that of nginx before it."""
    if spec.parameter("proxy", "none") == "none":
        yield address
        return
    async with before(spec, [address]) as told:
        yield told


async def serve(worker: Worker) -> None:
    """Fill the role `server` until told to stop."""
    spec = worker.spec
    behind = spec.parameter("proxy", "none") != "none"
    listener = bound_socket(f"{HOST}:0" if behind else spec.listen)
    async with serving(configuration(spec), listener) as at_work:
        settle_memory(
            freeze=spec.parameter("gc_freeze", False), threshold=spec.parameter("gc_threshold", 0)
        )
        async with reached(spec, address_of(listener)) as address:
            worker.ready(
                "FastAPI",
                version("fastapi"),
                endpoint=f"ws://{address}{PATH}",
                facts={"protocol": "json"},
            )
            await until_stopped(worker, at_work)


if __name__ == "__main__":
    main(serve, loop_factory=uvloop.new_event_loop)
