"""A client of the suite `opcua` with a version of asyncua."""

from __future__ import annotations

import gc
from collections.abc import Awaitable, Callable
from importlib.metadata import version

from asyncua_client import lanes
from asyncua_client.bulk_calls import Read, Write
from asyncua_client.connection import Connection, Opening
from asyncua_client.dialect import Dialect
from asyncua_client.failures import explain_opcua
from asyncua_client.watching import watch_of
from wirelab_sdk import Action, Outcome, Spec, Turn, Worker

_CAPABILITIES = ("security", "subscriptions", "async", "lanes")


class Caller:
    """Calls that the schedule asks for, on one connection."""

    def __init__(self, spec: Spec, dialect: Dialect) -> None:
        self._dialect = dialect
        self.connection = Connection(spec, dialect)
        operations = spec.operations
        self._read = Read(spec, operations["read"].items) if "read" in operations else None
        self._write = Write(spec, operations["write"].items) if "write" in operations else None
        self.opening = Opening(spec, dialect) if "session" in operations else None
        self.watches = watch_of(spec)

    def actions(self) -> dict[str, Action]:
        """The operations that can be performed now: connecting, or everything else."""
        if self.connection.established:
            opening = {"session": self.opening} if self.opening is not None else {}
            return {"read": self.read, "write": self.write, **opening, **self.watches}
        return {"connect": self.connect}

    async def connect(self, _turn: Turn) -> Outcome:
        await self.connection.open()
        return Outcome(lambda: {"connected": True})

    async def open(self) -> None:
        """Connect before anything is timed, and make ready what is opened or watched later."""
        await self.connection.open()
        assert self.connection.client is not None
        if self.opening is not None:
            await self.opening.prepare(self.connection.client)
        for watch in self.watches.values():
            await watch.begin(self.connection, self._dialect)

    async def close(self) -> None:
        """Close every session."""
        for watch in self.watches.values():
            await watch.end()
        if self.opening is not None:
            await self.opening.finish()
        await self.connection.close()

    async def read(self, _turn: Turn) -> Outcome:
        assert self._read is not None
        return await self._read(self.connection.session)

    async def write(self, turn: Turn) -> Outcome:
        assert self._write is not None
        return await self._write(self.connection.session, turn)


def settle_memory(spec: Spec) -> None:
    """Apply the collector's tuning once everything that stays has been allocated."""
    if spec.parameter("gc_freeze", False):
        gc.collect()
        gc.freeze()
    if threshold := spec.parameter("gc_threshold", 0):
        gc.set_threshold(threshold)


def client_of(dialect: Dialect) -> Callable[[Worker], Awaitable[None]]:
    """The part that a worker with that version plays."""

    async def client(worker: Worker) -> None:
        """Fill the role `client` until the schedule or the core ends it."""
        library = ("asyncua", version("asyncua"))
        capabilities = [*_CAPABILITIES, *dialect.capabilities]
        if worker.spec.schedule.steps:
            settle_memory(worker.spec)
            await lanes.play(worker, dialect, library, capabilities)
            return
        caller = Caller(worker.spec, dialect)
        if worker.spec.parameter("connect", "before") == "before":
            await caller.open()
            await worker.preflight(caller.actions())
        settle_memory(worker.spec)
        worker.ready(*library, capabilities=capabilities)
        await worker.follow(caller.actions, explain_opcua)
        await caller.close()

    return client
