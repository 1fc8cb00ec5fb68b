"""Blocking calls for an event loop: a pool of threads, and what the hops there and back cost."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, NamedTuple, TypeVar

from kv_harness.client import Row, Spans

P = TypeVar("P")
R = TypeVar("R")


class _Job(NamedTuple):
    rows: list[Row | None]
    began_ns: int
    called_ns: int
    ended_ns: int


class ExecutorReads(Generic[P, R]):
    """Calls ``ask`` and ``convert`` in one job of one of ``threads`` threads.

    Converting there rather than in the loop saves a second hop and lets the loop serve others.
    """

    def __init__(
        self, threads: int, ask: Callable[[P], R], convert: Callable[[R], list[Row | None]]
    ) -> None:
        self._pool = ThreadPoolExecutor(threads, "reads")
        self._ask = ask
        self._convert = convert

    async def read(self, prepared: P, spans: Spans | None) -> list[Row | None]:
        """Submit a job and wait for its rows."""
        submitted_ns = time.monotonic_ns()
        loop = asyncio.get_running_loop()
        job = await loop.run_in_executor(self._pool, self._read, prepared)
        if spans is not None:
            spans.hop_out += job.began_ns - submitted_ns
            spans.call += job.called_ns - job.began_ns
            spans.convert += job.ended_ns - job.called_ns
            spans.hop_back += time.monotonic_ns() - job.ended_ns
        return job.rows

    async def fetch(self, prepared: P) -> R:
        """The call alone, for those who convert several results together."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._ask, prepared)

    def _read(self, prepared: P) -> _Job:
        began_ns = time.monotonic_ns()
        result = self._ask(prepared)
        called_ns = time.monotonic_ns()
        rows = self._convert(result)
        return _Job(rows, began_ns, called_ns, time.monotonic_ns())

    def close(self) -> None:
        """Let the threads go; calls under way end by themselves."""
        self._pool.shutdown(wait=False, cancel_futures=True)
