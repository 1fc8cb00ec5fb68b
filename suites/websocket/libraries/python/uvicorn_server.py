"""uvicorn as a server of a trial: ready when it serves, at work until the trial ends."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn

from wirelab_sdk import Worker


@asynccontextmanager
async def serving(
    configuration: uvicorn.Config, listener: socket.socket
) -> AsyncIterator[asyncio.Task[None]]:
    """uvicorn at work, as a task; RuntimeError where it ends before it serves."""
    server = uvicorn.Server(configuration)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        if task.done():
            raise RuntimeError(
                "uvicorn ended before it served: standard error says why"
            ) from task.exception()
        await asyncio.sleep(0.01)
    yield task
    server.should_exit = True
    await task


async def until_stopped(worker: Worker, at_work: asyncio.Task[None]) -> None:
    """Return when the trial says stop; RuntimeError where uvicorn ends before that."""
    stopped = asyncio.create_task(worker.stopped())
    await asyncio.wait({stopped, at_work}, return_when=asyncio.FIRST_COMPLETED)
    if not stopped.done():
        raise RuntimeError(
            "uvicorn ended before it was told to: standard error says why"
        ) from at_work.exception()
