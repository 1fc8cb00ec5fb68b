"""Workers that take more than a role may have, each in one way: ``greedy.py NAME``.

Each stops by itself at a size that harms no machine, should nobody have stopped it before.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator

from reference import Reference, read_spec

DOUBLINGS = 9
MOST_BYTES = 1 << 30
STEP_BYTES = 16 << 20
STAYS_S = 60


class Greedy(Reference):
    """Takes what it wants in processes apart from the worker, which goes on with its schedule."""

    def ticks(self, start_ns: int) -> Iterator[tuple[int, int]]:
        if os.fork() == 0:
            os.setsid()
            with contextlib.suppress(BaseException):
                self.take_all()
            os._exit(0)
        yield from super().ticks(start_ns)

    def take_all(self) -> None:
        """Take more than there is."""


class ForkBomb(Greedy):
    """Processes that double and double again, whatever they are told."""

    def take_all(self) -> None:
        for _ in range(DOUBLINGS):
            with contextlib.suppress(OSError):
                os.fork()
        time.sleep(STAYS_S)


class MemoryHog(Greedy):
    """Memory that is really written to."""

    def take_all(self) -> None:
        taken = []
        while len(taken) * STEP_BYTES < MOST_BYTES:
            taken.append(b"x" * STEP_BYTES)
        time.sleep(STAYS_S)


WORKERS: dict[str, type[Reference]] = {
    "honest": Reference,
    "fork-bomb": ForkBomb,
    "memory-hog": MemoryHog,
}

if __name__ == "__main__":
    WORKERS[sys.argv[1]](read_spec()).run()
