"""The role ``app`` of a worker: uvicorn in front of a client, until told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
from collections.abc import Callable, Mapping
from typing import Any

import uvicorn
import uvloop
from kv_harness.client import Client, Place

from kv_serving import siblings
from kv_serving.app import application
from kv_serving.metrics import Metrics
from kv_serving.model import Model, Scoring
from kv_serving.pipeline import Pipeline
from kv_serving.shared import SharedPipeline
from wirelab_sdk import Spec, Worker, address_of, bound_socket, main

ONNX_RUNTIME = "onnxruntime"
_CLOSING_S = 1.0


Made = Mapping[str, Client[Any]]
"""Clients by the names of their times; one alone has no name."""


def serve(make: Callable[[], Client[Any]]) -> None:
    """Fill the role; ``make`` gives the client, made as for a role without HTTP."""
    serve_several(lambda: {"": make()})


def serve_several(make: Callable[[], Made]) -> None:
    """Fill the role with clients that share its process and take turns by request."""
    if (listener := siblings.inherited()) is not None:
        uvloop.run(_beside(make(), listener))
        return

    async def role(worker: Worker) -> None:
        clients = make()
        try:
            await _connect(clients, worker.spec)
            await _until_stopped(worker, clients)
        finally:
            for client in clients.values():
                # One that never connected has nothing to close.
                with contextlib.suppress(TimeoutError, AttributeError):
                    async with asyncio.timeout(_CLOSING_S):
                        await client.close()

    main(role, loop_factory=uvloop.new_event_loop)


async def _connect(clients: Made, spec: Spec) -> None:
    for client in clients.values():
        await client.open(spec.endpoints["server"], Place(spec))


def _model(spec: Spec) -> Scoring | None:
    """Load the model that answers, if there is one: ONNX Runtime, or the PyTorch of a folder."""
    if not spec.parameter("model", True):
        return None
    by = spec.parameter("inference", ONNX_RUNTIME)
    if by == ONNX_RUNTIME:
        return Model()
    from kv_serving.torch_model import TorchModel

    return TorchModel(by)


async def _beside(clients: Made, listener: socket.socket) -> None:
    """Be a further process of the application, until the first one is gone."""
    spec = Spec.from_environment()
    await _connect(clients, spec)
    server, serving = await _serving(spec, clients, listener)
    siblings.tell_ready()
    await siblings.first_is_gone()
    server.should_exit = server.force_exit = True
    await serving


async def _serving(
    spec: Spec, clients: Made, listener: socket.socket
) -> tuple[uvicorn.Server, asyncio.Task[None]]:
    """The application at work; RuntimeError when it ended before it was."""
    model = _model(spec)
    pipelines = {name: Pipeline(client, spec, model) for name, client in clients.items()}
    pipeline = SharedPipeline(pipelines)
    await pipeline.warm_up()
    server = uvicorn.Server(
        uvicorn.Config(
            application(pipeline, Metrics(spec.contender)),
            http="httptools",
            lifespan="off",
            access_log=False,
            log_level="warning",
            timeout_graceful_shutdown=1,
        )
    )
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        if serving.done():
            raise RuntimeError(
                "uvicorn ended before it served: standard error says why"
            ) from serving.exception()
        await asyncio.sleep(0.01)
    # The model and the prepared requests stay; the collector need not look at them again.
    gc.collect()
    gc.freeze()
    return server, serving


async def _until_stopped(worker: Worker, clients: Made) -> None:
    spec = worker.spec
    listener = bound_socket(spec.listen)
    others = await siblings.started(listener, spec.parameter("workers", 1) - 1)
    server, serving = await _serving(spec, clients, listener)
    # A generator looks for the one role that speaks HTTP: behind a gateway that is the gateway.
    protocol = "http-behind-gateway" if spec.parameter("gateway", False) else "http"
    worker.ready(
        *next(iter(clients.values())).library,
        endpoint=f"http://{address_of(listener)}",
        facts={"protocol": protocol},
    )
    stopped = asyncio.create_task(worker.stopped())
    await asyncio.wait({stopped, serving}, return_when=asyncio.FIRST_COMPLETED)
    await siblings.end(others)
    if not stopped.done():
        raise RuntimeError(
            "uvicorn ended before it was told to: standard error says why"
        ) from serving.exception()
    # Whoever still waits has given up: an application that is overloaded would not be done in time.
    server.should_exit = server.force_exit = True
    await serving
