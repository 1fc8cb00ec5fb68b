"""Reads without a hop, and where their time goes."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from kv_harness.client import Row, Spans

P = TypeVar("P")
R = TypeVar("R")


def timed_read(
    prepared: P,
    ask: Callable[[P], R],
    convert: Callable[[R], list[Row | None]],
    spans: Spans | None,
) -> list[Row | None]:
    """Ask and convert in this thread."""
    began_ns = time.monotonic_ns()
    result = ask(prepared)
    called_ns = time.monotonic_ns()
    rows = convert(result)
    if spans is not None:
        spans.call += called_ns - began_ns
        spans.convert += time.monotonic_ns() - called_ns
    return rows


async def awaited_read(
    asking: Awaitable[R], convert: Callable[[R], list[Row | None]], spans: Spans | None
) -> list[Row | None]:
    """Wait for what the library gives and convert it in the event loop."""
    began_ns = time.monotonic_ns()
    result = await asking
    called_ns = time.monotonic_ns()
    rows = convert(result)
    if spans is not None:
        spans.call += called_ns - began_ns
        spans.convert += time.monotonic_ns() - called_ns
    return rows
