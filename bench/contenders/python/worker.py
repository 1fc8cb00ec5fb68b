"""The Python contender of the suite `harness`: ticks and records with the SDK, calls no library."""

from __future__ import annotations

import time

from wirelab_sdk import Action, Outcome, Recorder, Turn, Worker, main

_HEADERS = 1
_NOTHING = Outcome(dict)


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
    worker.ready("wirelab-sdk-python", "0.1.0")
    await worker.follow(lambda: actions)
    if fillers is not None:
        fillers.close()


if __name__ == "__main__":
    main(client)
