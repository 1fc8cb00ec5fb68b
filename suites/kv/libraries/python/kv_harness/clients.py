"""The role ``client``: one client, used by every lane of a trial."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from kv_harness.client import BlockingClient, Client
from kv_harness.reads import AsyncReads, BlockingReads
from kv_harness.record_work import AsyncRecords, BlockingRecords
from wirelab_sdk import AsyncLanes, Operation, Spec, SpecError, Step, ThreadedLanes, Worker, main

_CLOSING_S = 1.0
_SERVING = ("app", "replica")
_OF_RECORDS = "ycsb"
"""The operation that is done with single records; of all other scenarios it is ``read``."""


def play(make: Callable[[], Client[Any]]) -> None:
    """Be the worker of a client on asyncio, or of the application around it."""
    if _role() in _SERVING:
        # Not a need of those who only play clients.
        from kv_serving.serve import serve

        serve(make)
        return

    async def role(worker: Worker) -> None:
        client: Any = make()
        operation = _operation(worker)
        work = AsyncRecords if operation.name == _OF_RECORDS else AsyncReads
        reads = work(client, worker.spec)
        if not _connects_in_time(worker):
            await reads.open()
        try:
            lanes = AsyncLanes(worker, reads, operation, lambda step: _in_rounds(worker, step))
            await _carry_out(worker, client.library, lanes)
        finally:
            with contextlib.suppress(Exception):  # one that never connected has nothing to close
                async with asyncio.timeout(_CLOSING_S):
                    await client.close()

    main(role)


def play_blocking(make: Callable[[], BlockingClient[Any]]) -> None:
    """Be the worker of a client that blocks: lanes are threads."""

    async def role(worker: Worker) -> None:
        client: Any = make()
        operation = _operation(worker)
        work = BlockingRecords if operation.name == _OF_RECORDS else BlockingReads
        reads = work(client, worker.spec)
        if not _connects_in_time(worker):
            await asyncio.to_thread(reads.open)
        try:
            lanes = ThreadedLanes(worker, reads, operation, lambda step: _in_rounds(worker, step))
            await _carry_out(worker, client.library, lanes)
        finally:
            with contextlib.suppress(Exception):  # one that never connected has nothing to close
                async with asyncio.timeout(_CLOSING_S):
                    await asyncio.to_thread(client.close)

    main(role)


def _role() -> str:
    try:
        return Spec.from_environment().role
    except SpecError:
        return ""  # said, with the reason, by what reads the spec next


def _operation(worker: Worker) -> Operation:
    operations = worker.spec.operations
    return operations[_OF_RECORDS if _OF_RECORDS in operations else "read"]


async def _carry_out(
    worker: Worker, library: tuple[str, str], lanes: AsyncLanes | ThreadedLanes
) -> None:
    await lanes.preflight()
    worker.ready(*library, capabilities=["lanes"])
    await lanes.run()


def _connects_in_time(worker: Worker) -> bool:
    """Whether connecting is a part of the first read, not of getting ready."""
    return worker.spec.parameters.get("connect") == "timed"


def _in_rounds(worker: Worker, step: Step) -> bool:
    return worker.spec.parameter("barrier", False, step)
