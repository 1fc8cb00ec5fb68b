"""From a request's number to scores: keys, multi-gets of all sets, features, inference."""

from __future__ import annotations

import asyncio
import time
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from kv_harness.client import Client, Key, Row, Spans
from kv_harness.multi_gets import MULTI_GETS, MultiGetSettings, keys_of

from kv_serving.features import features
from kv_serving.merging import Merging
from kv_serving.model import Scoring
from kv_serving.spans import RequestSpans, UntimedTimeline
from wirelab_sdk import Spec

REQUESTS = MULTI_GETS
SETS = range(1, 10)
_WARM_UP = 3
_DIGITS = 6

Rows = list[Row | None]


class ReadMode(StrEnum):
    """Way in which the sets are read."""

    SINGLE = "single"
    """All keys of all sets in one call."""
    GATHER = "gather"
    """A call a set, all at once."""
    MERGE = "merge"
    """A call a set, all at once; what they gave is converted together at the end."""


@dataclass(frozen=True)
class ServedAnswer:
    """Answer to a request, and the cost of its reads."""

    body: dict[str, Any]
    found_ratio: float
    read_ns: int
    sets_ns: dict[int, int]


@dataclass(frozen=True)
class _Read:
    """Result of one call; ``spans`` are its own, ``took_ns`` from the call to the end."""

    rows: Rows
    spans: Spans
    took_ns: int
    ended_ns: int


class Pipeline:
    """Answers requests from a store through ``client``; without a model it gives no scores."""

    def __init__(self, client: Client[Any], spec: Spec, model: Scoring | None) -> None:
        self._client = client
        self._model = model
        self._keys = spec.parameter("keys", 200)
        self._tells = spec.parameter("spans", True)
        universe = spec.parameter("universe", 10_000)
        self._requests = [
            [
                keys_of(spec.seed, MultiGetSettings(s, self._keys, universe, False), number)
                for s in SETS
            ]
            for number in range(REQUESTS)
        ]

    def timeline(self, begun_ns: int) -> RequestSpans:
        """Timeline of a request that began then."""
        return RequestSpans(begun_ns) if self._tells else UntimedTimeline(begun_ns)

    async def warm_up(self) -> None:
        """Let the client connect to every node, and the libraries make what they make once."""
        for number in range(_WARM_UP):
            await self.answer(
                ReadMode.SINGLE, number, self.timeline(time.monotonic_ns()), score=True
            )

    async def answer(
        self, mode: ReadMode, number: int, timeline: RequestSpans, *, score: bool
    ) -> ServedAnswer:
        """Everything but the bytes of the response; exceptions are the client's own."""
        with timeline.span("keys"):
            prepared = self._prepared(mode, number)
        begun_ns = time.monotonic_ns()
        sets, took_ns = await self._read(mode, prepared, timeline)
        read_ns = time.monotonic_ns() - begun_ns
        with timeline.span("features"):
            inputs = features(sets)
        body: dict[str, Any] = {"request": number}
        if score and self._model is not None:
            with timeline.span("inference"):
                scores = self._model.scores(*inputs)
            body["scores"] = [round(value, _DIGITS) for value in scores.tolist()]
        found = sum(row is not None for rows in sets for row in rows)
        body |= {"found": found, "columns": inputs.columns()}
        return ServedAnswer(body, found / (len(SETS) * self._keys), read_ns, took_ns)

    def _prepared(self, mode: ReadMode, number: int) -> list[Any]:
        sets = self._requests[number]
        if mode is not ReadMode.SINGLE:
            return [self._client.prepare(keys) for keys in sets]
        together: list[Key] = [key for keys in sets for key in keys]
        return [self._client.prepare(together)]

    async def _read(
        self, mode: ReadMode, prepared: list[Any], timeline: RequestSpans
    ) -> tuple[list[Rows], dict[int, int]]:
        if mode is ReadMode.MERGE:
            return await self._merged(prepared, timeline), {}
        begun_ns = time.monotonic_ns()
        if mode is ReadMode.SINGLE:
            read = await self._one(prepared[0])
            timeline.add(asdict(read.spans))
            rows, keys = read.rows, self._keys
            return [rows[at : at + keys] for at in range(0, len(rows), keys)], {}
        reads = await asyncio.gather(*map(self._one, prepared))
        last = max(reads, key=lambda read: read.ended_ns)
        own = asdict(last.spans)
        wait_ns = max(0, last.ended_ns - begun_ns - sum(own.values()))
        timeline.add({**own, "wait": wait_ns})
        return [read.rows for read in reads], {
            number: read.took_ns for number, read in zip(SETS, reads, strict=True)
        }

    async def _one(self, prepared: Any) -> _Read:
        begun_ns, spans = time.monotonic_ns(), Spans()
        rows = await self._client.read(prepared, spans if self._tells else None)
        ended_ns = time.monotonic_ns()
        return _Read(rows, spans, ended_ns - begun_ns, ended_ns)

    async def _merged(self, prepared: list[Any], timeline: RequestSpans) -> list[Rows]:
        client = self._client
        if not isinstance(client, Merging):
            raise NotImplementedError(f"{type(client).__name__} cannot convert calls together")
        with timeline.span("call"):
            fetched = await asyncio.gather(*map(client.fetch, prepared))
        with timeline.span("convert"):
            return [client.convert(result) for result in fetched]
