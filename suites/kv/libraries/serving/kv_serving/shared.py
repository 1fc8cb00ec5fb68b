"""Several clients in one process: they take turns by the number of the request."""

from __future__ import annotations

from collections.abc import Mapping

from kv_serving.pipeline import Pipeline, ReadMode, ServedAnswer
from kv_serving.spans import RequestSpans


class SharedPipeline:
    """A pipeline a client, by the name of its time; all are loaded by the same users."""

    def __init__(self, pipelines: Mapping[str, Pipeline]) -> None:
        self._pipelines = [*pipelines.items()]

    def timeline(self, begun_ns: int) -> RequestSpans:
        """As each of them has it."""
        return self._pipelines[0][1].timeline(begun_ns)

    async def warm_up(self) -> None:
        """Each of them."""
        for _name, pipeline in self._pipelines:
            await pipeline.warm_up()

    async def answer(
        self, mode: ReadMode, number: int, timeline: RequestSpans, *, score: bool
    ) -> ServedAnswer:
        """Even numbers are the first one's, of two."""
        name, pipeline = self._pipelines[number % len(self._pipelines)]
        timeline.answered_by = name
        return await pipeline.answer(mode, number, timeline, score=score)
