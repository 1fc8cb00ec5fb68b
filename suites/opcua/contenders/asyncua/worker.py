"""The asyncua contender: a client of the suite `opcua`."""

from __future__ import annotations

import gc
from importlib.metadata import version

from asyncua import ua
from asyncua.client.ua_session import UaSession
from batches import Read, Write
from connection import Connection, Opening

from wirelab_sdk import Action, Failure, Outcome, Spec, Status, Turn, Worker, explain, main

_DISCONNECTED = (
    ua.uaerrors.BadConnectionClosed,
    ua.uaerrors.BadSecureChannelClosed,
    ua.uaerrors.BadSecureChannelIdInvalid,
    ua.uaerrors.BadServerNotConnected,
    ua.uaerrors.BadSessionClosed,
    ua.uaerrors.BadSessionIdInvalid,
    ua.uaerrors.BadShutdown,
)
_TIMED_OUT = (ua.uaerrors.BadTimeout, ua.uaerrors.BadRequestTimeout)


class Caller:
    """Calls that the schedule asks for, on one connection."""

    def __init__(self, spec: Spec) -> None:
        self.connection = Connection(spec)
        operations = spec.operations
        self._read = Read(spec, operations["read"].items) if "read" in operations else None
        self._write = Write(spec, operations["write"].items) if "write" in operations else None
        self.opening = Opening(spec) if "session" in operations else None

    def actions(self) -> dict[str, Action]:
        """The operations that can be performed now: connecting, or everything else."""
        if self.connection.established:
            opening = {"session": self.opening} if self.opening is not None else {}
            return {"read": self.read, "write": self.write, **opening}
        return {"connect": self.connect}

    async def connect(self, _turn: Turn) -> Outcome:
        await self.connection.open()
        return Outcome(lambda: {"connected": True})

    async def open(self) -> None:
        """Connect before anything is timed, and make ready what is opened later."""
        await self.connection.open()
        if self.opening is not None:
            assert self.connection.client is not None
            await self.opening.prepare(self.connection.client)

    async def close(self) -> None:
        """Close every session."""
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


def explain_opcua(error: BaseException) -> Failure:
    """asyncua's status codes, then Python's own exceptions."""
    if not isinstance(error, ua.UaStatusCodeError):
        return explain(error)
    status = Status.ERROR
    if isinstance(error, _TIMED_OUT):
        status = Status.TIMEOUT
    elif isinstance(error, _DISCONNECTED):
        status = Status.DISCONNECTED
    name, _ = ua.status_codes.get_name_and_doc(error.code)
    return Failure(status, type(error).__name__, name, str(error))


def settle_memory(spec: Spec) -> None:
    """Apply the collector's tuning once everything that stays has been allocated."""
    if spec.parameter("gc_freeze", False):
        gc.collect()
        gc.freeze()
    if threshold := spec.parameter("gc_threshold", 0):
        gc.set_threshold(threshold)


async def client(worker: Worker) -> None:
    """Fill the role `client` until the schedule or the core ends it."""
    caller = Caller(worker.spec)
    if worker.spec.parameter("connect", "before") == "before":
        await caller.open()
        await worker.preflight({"read": caller.read, "write": caller.write})
    settle_memory(worker.spec)
    worker.ready(
        "asyncua", version("asyncua"), capabilities=["security", "auto-reconnect", "async"]
    )
    await worker.follow(caller.actions, explain_opcua)
    await caller.close()


if __name__ == "__main__":
    main(client)
