"""The contender `fastapi-workers-redis`: FastAPI on several uvicorn workers, joined by Redis.

This process is the one that the core knows and the parent of the workers: it has the socket,
and runs uvicorn's own supervisor, as `uvicorn --workers` does. Replicas have a socket and a
supervisor each, and nginx before them.
"""

from __future__ import annotations

import asyncio
import functools
import os
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from multiprocessing import Pipe, resource_tracker
from multiprocessing.connection import Connection
from typing import Any

import uvicorn
from channels import WAYS
from nginx import before
from process_reports import Reporting, Reports
from relay import RelaySettings
from uvicorn.supervisors import Multiprocess
from whiteboard import PATH, Settings, whiteboard

from wirelab_sdk import Spec, SpecError, Worker, address_of, bound_socket, main
from wirelab_sdk.server_program import HOST

_SECOND = 1_000_000_000


def settings(spec: Spec, pipe: Connection) -> Settings:
    """Settings for every worker process."""
    if "redis" not in spec.endpoints:
        raise SpecError("endpoints.redis is missing: the contender uses the role redis")
    return Settings(
        relay=RelaySettings(
            url=spec.endpoints["redis"],
            channels=WAYS[spec.parameter("channels", "board")],
            backlog=spec.parameter("publish_backlog", 10_000),
            backoff_first_s=spec.parameter("redis_backoff_first_s", 0.01),
            backoff_longest_s=spec.parameter("redis_backoff_longest_s", 0.1),
        ),
        reporting=Reporting(pipe),
        member_backlog=spec.parameter("member_backlog", 4096),
        # The parent needs the rest to hear of it.
        ready_s=spec.limits.ready_ns / _SECOND / 2,
        gc_freeze=spec.parameter("gc_freeze", False),
        gc_threshold=spec.parameter("gc_threshold", 0),
    )


def configuration(spec: Spec, told: Settings) -> uvicorn.Config:
    """uvicorn as `[tuning]` asks for it; what the suite forbids is off."""
    return uvicorn.Config(
        functools.partial(whiteboard, told),
        factory=True,
        workers=1 if _replicas(spec) else spec.parameter("workers", 2),
        loop="uvloop",
        ws="websockets-sansio",
        http="httptools",
        ws_max_size=spec.parameter("max_message_bytes", 65536),
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        backlog=spec.parameter("listen_backlog", 4096),
        lifespan="on",
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=1,
    )


async def serve(worker: Worker) -> None:
    """Fill the role `server` until told to stop."""
    spec = worker.spec
    incoming, outgoing = Pipe(duplex=False)
    config = configuration(spec, settings(spec, outgoing))
    replicas = _replicas(spec)
    own = [spec.listen] if not replicas else [f"{HOST}:0"] * replicas
    listeners = [bound_socket(address) for address in own]
    reports = Reports(incoming)
    worker.report_runtime_of(reports.reading)
    supervisors = [Multiprocess(config, [listener]) for listener in listeners]
    supervising = [asyncio.create_task(asyncio.to_thread(one.run)) for one in supervisors]
    try:
        processes = config.workers * len(supervisors)
        await unless_ended(supervising, reports.from_processes(processes))
        # A worker reports just before it listens: until then the kernel keeps who connects.
        for listener in listeners:
            listener.listen(config.backlog)
        async with reached(spec, [address_of(listener) for listener in listeners]) as address:
            worker.ready(
                "FastAPI",
                version("fastapi"),
                endpoint=f"ws://{address}{PATH}",
                facts={"protocol": "json"},
            )
            await unless_ended(supervising, worker.stopped())
    finally:
        for supervisor in supervisors:
            supervisor.should_exit.set()
        await asyncio.gather(*supervising)
        end_resource_tracker()


def _replicas(spec: Spec) -> int:
    """Servers with a port each; 0: workers share one port."""
    return spec.parameter("replicas", 0)


@asynccontextmanager
async def reached(spec: Spec, addresses: Sequence[str]) -> AsyncIterator[str]:
    """The address that users are told: the workers' own, or that of nginx before replicas."""
    if not _replicas(spec):
        yield addresses[0]
        return
    async with before(spec, addresses) as told:
        yield told


def end_resource_tracker() -> None:
    """End multiprocessing's helper process, the only child that is left.

    It would end by itself, but only after this process, and so be taken for a leftover.
    """
    helper = resource_tracker.getfd()
    if helper is not None:
        os.close(helper)
        os.wait()


async def unless_ended(
    supervising: Sequence[asyncio.Task[None]], awaited: Coroutine[Any, Any, None]
) -> None:
    """Wait for ``awaited``; RuntimeError when uvicorn's supervisor ends before."""
    waiting = asyncio.create_task(awaited)
    await asyncio.wait({waiting, *supervising}, return_when=asyncio.FIRST_COMPLETED)
    if not waiting.done():
        waiting.cancel()
        raise RuntimeError("uvicorn's workers have ended by themselves") from None


if __name__ == "__main__":
    main(serve)
