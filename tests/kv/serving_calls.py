"""Calls the application as a server would, without one: run by a contender's Python, see the test.

Prints a JSON object: by path, status, body and the header ``Server-Timing``.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from kv_harness import Key, Row, Spans
from kv_harness.data import SETS, records
from kv_serving.app import application
from kv_serving.metrics import Metrics
from kv_serving.model import Model
from kv_serving.pipeline import Pipeline
from kv_serving.torch_model import TorchModel

SEED = 4711
KEYS = 12
PARAMETERS = {"keys": KEYS, "universe": 10_000}


class Spec:
    """The part of a spec that the pipeline uses."""

    seed = SEED

    def parameter(self, name: str, default: Any) -> Any:
        """Parameter of this test, or the default."""
        return PARAMETERS.get(name, default)


class Store:
    """A client whose records are in its own process; set 9 is read last and slowest."""

    library = ("store", "1.0")

    def __init__(self) -> None:
        self.rows: dict[Key, Row] = {}
        for chosen in SETS:
            for key, *bins in records(chosen, PARAMETERS["universe"]).rows():
                self.rows[chosen, str(key)] = tuple(bins)  # type: ignore[arg-type]

    def prepare(self, keys: Sequence[Key]) -> Sequence[Key]:
        """As they are."""
        return keys

    async def read(self, prepared: Sequence[Key], spans: Spans | None = None) -> list[Row | None]:
        """Spans are made up: 3 ns of call for the set, 5 of converting."""
        if {chosen for chosen, _ in prepared} == {9}:
            await asyncio.sleep(0.02)
        if spans is not None:
            spans.call += 3_000 * prepared[-1][0]
            spans.convert += 5_000
        return [self.rows.get(key) for key in prepared]


class Broken(Store):
    """A store that refuses everything."""

    async def read(self, prepared: Sequence[Key], spans: Spans | None = None) -> list[Row | None]:
        """Never."""
        raise ConnectionRefusedError("the pool is exhausted")


async def call(app: Any, path: str) -> dict[str, Any]:
    """Answer to a GET of ``path``."""
    bare, _, query = path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": bare,
        "raw_path": bare.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 2),
    }
    said: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        said.append(message)

    await app(scope, receive, send)
    headers = {name.decode(): value.decode() for name, value in said[0]["headers"]}
    body = b"".join(message.get("body", b"") for message in said[1:]).decode()
    return {
        "status": said[0]["status"],
        "body": json.loads(body) if headers.get("content-type") == "application/json" else body,
        "timing": headers.get("server-timing", ""),
    }


async def main(paths: Sequence[str]) -> dict[str, Any]:
    """Answers by path; those of the broken store under ``broken``."""
    spec: Any = Spec()
    app = application(Pipeline(Store(), spec, Model()), Metrics("store"))  # type: ignore[arg-type]
    bad = application(Pipeline(Broken(), spec, None), Metrics("broken"))  # type: ignore[arg-type]
    answers = {path: await call(app, path) for path in paths}
    if folder := os.environ.get("WIRELAB_TORCH"):
        by_torch = application(
            Pipeline(Store(), spec, TorchModel(folder)),  # type: ignore[arg-type]
            Metrics("torch"),
        )
        answers["torch"] = await call(by_torch, paths[0])
    answers["broken"] = await call(bad, paths[0])
    answers["broken metrics"] = await call(bad, "/metrics")
    return answers


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(sys.argv[1:]))))
