"""The Python contender of the suite `harness`: ticks and records with the SDK, calls no library."""

from __future__ import annotations

import sys
import time
from itertools import cycle, islice

from wirelab_sdk import (
    Action,
    BatchWorker,
    Loop,
    Outcome,
    Recorder,
    Turn,
    Worker,
    main,
    run_batches,
)

_ABOUT = ("wirelab-sdk-python", "0.1.0")
_HEADERS = 1
_NOTHING = Outcome(dict)
_NUMBERS = tuple(range(1000))


async def nothing(_turn: Turn) -> Outcome:
    """The operation that does nothing."""
    return _NOTHING


class Fillers:
    """Samples recorded only to see what recording costs, in a file of their own."""

    def __init__(self, worker: Worker) -> None:
        self._path = worker.spec.paths.scratch / "fillers.samples"
        self._recorder = Recorder(self._path)

    async def batch(self, turn: Turn) -> Outcome:
        """Record as many samples as the operation has items."""
        record, code = self._recorder.record, turn.operation.code
        now = time.monotonic_ns()
        for lane in range(turn.operation.items):
            record(now, now, now, code, 0, 0, lane)
        return _NOTHING

    def close(self) -> None:
        """Complete the file, check that every record is in it, and remove it."""
        self._recorder.close()
        expected, size = self._recorder.count + _HEADERS, self._path.stat().st_size
        if size != expected * 32:
            raise RuntimeError(f"{self._recorder.count} records make no {size} bytes")
        self._path.unlink()


async def client(worker: Worker) -> None:
    """Fill the role `client` until the schedule or the core ends it."""
    actions: dict[str, Action] = {"nothing": nothing}
    fillers = Fillers(worker) if "batch" in worker.spec.operations else None
    if fillers is not None:
        actions["batch"] = fillers.batch
    worker.ready(*_ABOUT)
    await worker.follow(lambda: actions)
    if fillers is not None:
        fillers.close()


def summing(iterations: int) -> int:
    """Iterations that have nothing to do but a sum, in a loop as the suite ``codec`` has it."""
    total = 0
    for number in islice(cycle(_NUMBERS), iterations):
        total += number
    return total & 0xFFFF_FFFF


def batches(worker: BatchWorker) -> None:
    """Fill the role `client` of a microbenchmark."""
    worker.ready(*_ABOUT, {})
    worker.follow(lambda _step, _operation: Loop(summing, len(_NUMBERS)), lambda _step: None)


if __name__ == "__main__":
    if sys.argv[1:] == ["batches"]:
        run_batches(batches)
    main(client)
