"""A stretch of time on the clock that all processes of a machine share."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator

MOST_NS = 30 * 24 * 3600 * 1_000_000_000
"""Longest stretch of a trial, 30 days: figures take room for each of its seconds."""

LATEST_NS = 2**62
"""Latest time: later ones leave no room in 64 bits for what is added to them."""


def _within_bounds(span: tuple[int, int]) -> tuple[int, int]:
    begin, end = span
    if not (0 <= begin <= LATEST_NS and 0 <= end <= LATEST_NS and end - begin <= MOST_NS):
        raise ValueError("expected times on a clock, at most 30 days from each other")
    return span


Span = Annotated[tuple[int, int], AfterValidator(_within_bounds)]
"""Begin and end on CLOCK_MONOTONIC, in ns; the end is not part of it."""
