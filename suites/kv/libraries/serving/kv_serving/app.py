"""The application: two routes that read, one that tells Prometheus, one that says it lives."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Literal

import orjson
from fastapi import FastAPI, Query, Request, Response
from fastapi.responses import PlainTextResponse

from kv_serving.metrics import CONTENT_TYPE, Metrics
from kv_serving.pipeline import REQUESTS, Pipeline, ReadMode
from kv_serving.shared import SharedPipeline

_BEGUN = "wirelab.begun_ns"
_Message = MutableMapping[str, Any]
_Asgi = Callable[
    [_Message, Callable[[], Awaitable[_Message]], Callable[[_Message], Awaitable[None]]],
    Awaitable[None],
]


def application(pipeline: Pipeline | SharedPipeline, metrics: Metrics) -> _Asgi:
    """The application as ASGI; a request's time begins with its first line."""
    app = FastAPI(openapi_url=None)

    @app.get("/predict")
    async def predict(
        request: Request, mode: ReadMode = ReadMode.SINGLE, number: int = _NUMBER
    ) -> Response:
        return await answer(request, mode, number, score=True)

    @app.get("/features")
    async def features(
        request: Request, mode: ReadMode = ReadMode.SINGLE, number: int = _NUMBER
    ) -> Response:
        return await answer(request, mode, number, score=False)

    @app.get("/metrics")
    async def scrape() -> Response:
        return Response(metrics.text(), media_type=CONTENT_TYPE)

    @app.get("/health")
    async def health() -> Literal["ok"]:
        return "ok"

    async def answer(request: Request, mode: ReadMode, number: int, *, score: bool) -> Response:
        timeline = pipeline.timeline(request.scope[_BEGUN])
        with metrics.active.track_inprogress():
            try:
                said = await pipeline.answer(mode, number, timeline, score=score)
            except Exception as error:
                # What the client's caller sees is the finding, so it travels in the response.
                metrics.failed()
                return PlainTextResponse(f"{type(error).__name__}: {error}", status_code=503)
            with timeline.span("render"):
                body = orjson.dumps(said.body)
            # Not a span beside the others: it is what they are in together.
            timeline.add({"reading": said.read_ns})
            timeline.end()
        if not timeline.is_told:
            return Response(body, media_type="application/json")
        metrics.answered({**timeline.spans, "read": said.read_ns}, said.sets_ns, said.found_ratio)
        return Response(
            body,
            media_type="application/json",
            headers={"Server-Timing": timeline.header()},
        )

    return _stamped(app)


_NUMBER = Query(alias="request", ge=0, lt=REQUESTS)


def _stamped(app: FastAPI) -> _Asgi:
    async def stamp(
        scope: _Message,
        receive: Callable[[], Awaitable[_Message]],
        send: Callable[[_Message], Awaitable[None]],
    ) -> None:
        scope[_BEGUN] = time.monotonic_ns()
        await app(scope, receive, send)

    return stamp
