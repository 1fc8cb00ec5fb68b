"""Putting the calling thread on some processors for a while."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager


@contextmanager
def pinned(cpus: Sequence[int]) -> Iterator[str]:
    """Run the calling thread, and what it starts, on ``cpus``; anywhere when there are none.

    Yields why that was refused; empty when it was not.
    """
    if not cpus:
        yield ""
        return
    try:
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, cpus)
    except OSError as error:
        yield f"processors {', '.join(map(str, cpus))}: {error.strerror}"
        return
    try:
        yield ""
    finally:
        os.sched_setaffinity(0, before)
