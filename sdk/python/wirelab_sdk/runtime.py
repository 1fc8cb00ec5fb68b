"""CPython's figures of itself: pauses of the cyclic collector, memory, lag of the loop."""

from __future__ import annotations

import gc
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from wirelab_sdk.ticker import Ticker

_SECOND = 1_000_000_000
_STATUS = Path("/proc/self/status")

HEAP_KIND = "anonymous RSS, an upper bound"
"""CPython has no cheap count of its heap; the anonymous pages hold it and more."""

MOST_SPANS, MOST_SPANS_IN_ALL = 500, 50_000
"""The contract wants no more of them in a ``runtime`` event, and in all of them."""

SHORTEST_NS = 100_000
"""Shorter collections explain no spike, and there may be thousands of them a second."""


class RuntimeProbe:
    """Counts from construction on; two clock readings for each collection.

    ``placed``: readings also say when each collection was.
    """

    def __init__(self, *, placed: bool = False) -> None:
        self._began_ns = 0
        self._pause_ns = 0
        self._collections = 0
        self._placed = placed
        self._spans: list[tuple[int, int, int]] = []
        self._told = 0
        self._untold = 0
        gc.callbacks.append(self._collecting)

    def _collecting(self, phase: str, _info: dict[str, int]) -> None:
        now_ns = time.monotonic_ns()
        if phase == "start":
            self._began_ns = now_ns
            return
        took_ns = now_ns - self._began_ns
        self._pause_ns += took_ns
        self._collections += 1
        if self._placed and took_ns >= SHORTEST_NS:
            if len(self._spans) < MOST_SPANS and self._told < MOST_SPANS_IN_ALL:
                self._spans.append((self._began_ns, now_ns, took_ns))
                self._told += 1
            else:
                self._untold += 1

    def reading(self) -> dict[str, Any]:
        """The fields of a ``runtime`` event, without the loop's lag."""
        spans: dict[str, Any] = {}
        if self._placed:
            spans = {"collections": self._spans, "untold": self._untold}
            # A collection may come at any line: it finds one list or the other.
            self._spans, self._untold = [], 0
        return {
            # After them: nothing is told that ends later.
            "monotonic_ns": time.monotonic_ns(),
            "heap_bytes": _anonymous_bytes(),
            "heap_kind": HEAP_KIND,
            "gc_count": self._collections,
            "gc_pause_ns": self._pause_ns,
            **spans,
        }

    async def every_second(self, first_ns: int) -> AsyncIterator[dict[str, Any]]:
        """Readings with the loop's lag, from ``first_ns`` of CLOCK_MONOTONIC on, without end."""
        ticker = Ticker()
        due_ns = first_ns
        try:
            while await ticker.until(due_ns):
                lag_ns = time.monotonic_ns() - due_ns
                yield {**self.reading(), "loop_lag_ns": lag_ns}
                due_ns += _SECOND
        finally:
            ticker.close()

    def close(self) -> None:
        """Stop counting."""
        gc.callbacks.remove(self._collecting)


def _anonymous_bytes() -> int | None:
    for line in _STATUS.read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    return None
