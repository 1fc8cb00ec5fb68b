"""The asyncua contender: a client of the suite `opcua`."""

from __future__ import annotations

import gc
from importlib.metadata import version

import lanes
from asyncua.client.ua_session import UaSession
from bulk_calls import Read, Write
from connection import Connection, Opening
from failures import explain_opcua
from watching import watch_of

from wirelab_sdk import Action, Outcome, Spec, Turn, Worker, main

_CAPABILITIES = ["security", "subscriptions", "auto-reconnect", "async", "lanes"]


class Caller:
    """Calls that the schedule asks for, on one connection."""

    def __init__(self, spec: Spec) -> None:
        self.connection = Connection(spec)
        operations = spec.operations
        self._read = Read(spec, operations["read"].items) if "read" in operations else None
        self._write = Write(spec, operations["write"].items) if "write" in operations else None
        self.opening = Opening(spec) if "session" in operations else None
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
            await watch.begin(self.connection.client)

    async def close(self) -> None:
        """Close every session."""
        for watch in self.watches.values():
            await watch.end()
        if self.opening is not None:
            await self.opening.finish()
        await self.connection.close()

    async def read(self, _turn: Turn) -> Outcome:
        assert self._read is not None
        return await self._read(self._session)

    async def write(self, turn: Turn) -> Outcome:
        assert self._write is not None
        return await self._write(self._session, turn)

    @property
    def _session(self) -> UaSession:
        assert self.connection.client is not None
        return self.connection.client.uaclient.session


def settle_memory(spec: Spec) -> None:
    """Apply the collector's tuning once everything that stays has been allocated."""
    if spec.parameter("gc_freeze", False):
        gc.collect()
        gc.freeze()
    if threshold := spec.parameter("gc_threshold", 0):
        gc.set_threshold(threshold)


async def client(worker: Worker) -> None:
    """Fill the role `client` until the schedule or the core ends it."""
    library = ("asyncua", version("asyncua"))
    if worker.spec.schedule.steps:
        settle_memory(worker.spec)
        await lanes.play(worker, library, _CAPABILITIES)
        return
    caller = Caller(worker.spec)
    if worker.spec.parameter("connect", "before") == "before":
        await caller.open()
        await worker.preflight(caller.actions())
    settle_memory(worker.spec)
    worker.ready(*library, capabilities=_CAPABILITIES)
    await worker.follow(caller.actions, explain_opcua)
    await caller.close()


if __name__ == "__main__":
    main(client)
