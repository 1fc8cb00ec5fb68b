"""One process at a time: a lock file that the kernel frees when its holder ends."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(file: Path, say: Callable[[str], None], what: str) -> Iterator[None]:
    """Hold ``file`` exclusively; says so once when another process has it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for another process that works on {what}")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
