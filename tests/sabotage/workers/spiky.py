"""A client whose slow calls have a known cause: a collection, or work of its own."""

from __future__ import annotations

import asyncio
import gc
import time

from wirelab_sdk import Outcome, Turn, Worker, main

EVERY = 25
CALL_S = 0.001
SLOW_S = 0.02
OBJECTS = 600_000
"""Objects that a collection looks at: more than ten milliseconds of it."""


class Spiky:
    """Calls nobody. ``collects`` says what makes one in so many of its calls slow."""

    def __init__(self, *, collects: bool) -> None:
        self._collects = collects
        self._held = [[number] for number in range(OBJECTS)]

    async def call(self, turn: Turn) -> Outcome:
        """Take a millisecond, and every so often as long as what is looked at takes."""
        await asyncio.sleep(CALL_S)
        if turn.tick % EVERY == EVERY - 1:
            if self._collects:
                gc.collect()
            else:
                self.compute()
        return Outcome(answer=lambda: {"objects": len(self._held)})

    def compute(self) -> None:
        until = time.monotonic() + SLOW_S
        while time.monotonic() < until:
            sum(range(1000))


async def client(worker: Worker) -> None:
    """Call at every tick; only what slow calls ask for collects."""
    gc.disable()
    spiky = Spiky(collects=worker.spec.parameter("collects", False))
    worker.ready("loopback", "1.0")
    await worker.follow(lambda: {"call": spiky.call})


if __name__ == "__main__":
    main(client)
