"""A stretch of time on the clock that all processes of a machine share."""

from __future__ import annotations

Span = tuple[int, int]
"""Begin and end on CLOCK_MONOTONIC, in ns; the end is not part of it."""
