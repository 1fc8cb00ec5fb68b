"""The role `redis` of the suite `websocket`: Debian's redis-server, for the length of a trial."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from broker import HOST, Broker, BrokerError, start

from wirelab_sdk import Worker, main

_SECOND = 1_000_000_000

_log = logging.getLogger(__name__)


class Memory:
    """What Redis last said of its memory; its own figure, not that of this process."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._bytes: int | None = None

    def reading(self) -> dict[str, Any]:
        """The fields of a ``runtime`` event."""
        return {"heap_bytes": self._bytes, "heap_kind": "used_memory of Redis"}

    async def watch(self) -> None:
        """Ask once a second, until cancelled."""
        while True:
            try:
                self._bytes = await asyncio.wait_for(self._broker.used_memory(), 1)
            except (OSError, TimeoutError, KeyError) as error:
                _log.warning("INFO memory: %r", error)
            await asyncio.sleep(1)


async def serve(worker: Worker) -> None:
    """Keep a redis-server until told to stop; BrokerError when it ends by itself."""
    broker = await start(worker.spec.listen, worker.spec.paths.scratch)
    memory = Memory(broker)
    worker.report_runtime_of(memory.reading)
    worker.ready("Redis", broker.version, endpoint=f"redis://{HOST}:{broker.port}")
    watching = asyncio.create_task(memory.watch())
    stopped = asyncio.create_task(worker.stopped())
    ended = asyncio.create_task(broker.process.wait())
    await asyncio.wait({stopped, ended}, return_when=asyncio.FIRST_COMPLETED)
    watching.cancel()
    if not stopped.done():
        raise BrokerError(f"redis-server ended by itself with exit code {ended.result()}")
    # Less than the half of the limit that the contract leaves for work under way.
    await broker.end(worker.spec.limits.stop_ns / _SECOND / 3)


if __name__ == "__main__":
    main(serve)
