"""The role ``app`` of a worker: uvicorn in front of a client, until told to stop."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from typing import Any

import uvicorn
import uvloop
from kv_harness.client import Client, Place

from kv_serving.app import application
from kv_serving.metrics import Metrics
from kv_serving.model import Model, Scoring
from kv_serving.pipeline import Pipeline
from wirelab_sdk import Spec, Worker, address_of, bound_socket, main

ONNX_RUNTIME = "onnxruntime"


def serve(make: Callable[[], Client[Any]]) -> None:
    """Fill the role; ``make`` gives the client, made as for a role without HTTP."""

    async def role(worker: Worker) -> None:
        client = make()
        await client.open(worker.spec.endpoints["server"], Place(worker.spec))
        try:
            await _until_stopped(worker, client)
        finally:
            await client.close()

    main(role, loop_factory=uvloop.new_event_loop)


def _model(spec: Spec) -> Scoring | None:
    """What answers, if anything does: ONNX Runtime, or the PyTorch of a folder."""
    if not spec.parameter("model", True):
        return None
    by = spec.parameter("inference", ONNX_RUNTIME)
    if by == ONNX_RUNTIME:
        return Model()
    from kv_serving.torch_model import TorchModel

    return TorchModel(by)


async def _until_stopped(worker: Worker, client: Client[Any]) -> None:
    spec = worker.spec
    pipeline = Pipeline(client, spec, _model(spec))
    await pipeline.warm_up()
    listener = bound_socket(spec.listen)
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
            raise RuntimeError("uvicorn ended before it served") from serving.exception()
        await asyncio.sleep(0.01)
    # The model and the prepared requests stay; the collector need not look at them again.
    gc.collect()
    gc.freeze()
    worker.ready(
        *client.library,
        endpoint=f"http://{address_of(listener)}",
        facts={"protocol": "http"},
    )
    stopped = asyncio.create_task(worker.stopped())
    await asyncio.wait({stopped, serving}, return_when=asyncio.FIRST_COMPLETED)
    if not stopped.done():
        raise RuntimeError("uvicorn ended by itself") from serving.exception()
    server.should_exit = True
    await serving
