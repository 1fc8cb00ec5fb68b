"""Reads of many callers at a time: in a session that they share, or each in one of its own."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from asyncua_client.bulk_calls import Read
from asyncua_client.connection import Connection
from asyncua_client.dialect import Dialect
from asyncua_client.failures import explain_opcua
from wirelab_sdk import AsyncLanes, Failure, LaneTurn, Outcome, Spec, Status, Step, Worker, steps_of

_JOIN = "join"


class Reads:
    """The work of every lane, as `AsyncLanes` drives it."""

    def __init__(self, spec: Spec, dialect: Dialect) -> None:
        operations = spec.operations
        self.operation = operations["read"]
        self.apart = any(operation.when == _JOIN for operation in operations.values())
        """Whether every user opens a session of its own."""
        self._read = Read(spec, self.operation.items)
        users = max(step.users for step in steps_of(spec.schedule)) if self.apart else 1
        self._connections = [Connection(spec, dialect) for _ in range(users)]

    async def join(self, user: int) -> None:
        """Open the session of a user."""
        await self._connections[user].open()

    async def close(self) -> None:
        """Leave the server with every session."""
        await asyncio.gather(*(connection.close() for connection in self._connections))

    def begin(self, step: Step) -> None:
        """Every step reads the same."""

    def prepare(self, turn: LaneTurn) -> Connection:
        """The connection of a lane."""
        return self._connections[turn.lane if self.apart else 0]

    async def call(self, connection: Connection) -> Outcome:
        """One Read, every item's status looked at."""
        if connection.client is None:
            raise ConnectionError("its session could not be opened")
        return await self._read(connection.session)

    def judge(self, _turn: LaneTurn, result: Outcome) -> Outcome:
        """Outcome of the Read, with the status that items which are not Good give it."""
        return replace(result, status=Status.ITEM_ERROR) if result.bad else result

    def explain(self, error: BaseException) -> Failure:
        """In the library's words."""
        return explain_opcua(error)


async def play(
    worker: Worker, dialect: Dialect, library: tuple[str, str], capabilities: list[str]
) -> None:
    """Fill the role `client` in scenarios whose schedule has lanes."""
    reads = Reads(worker.spec, dialect)
    joining = reads.join if reads.apart else None
    if not reads.apart:
        await reads.join(0)
    lanes = AsyncLanes(worker, reads, reads.operation, joining=joining)
    await lanes.preflight()
    worker.ready(*library, capabilities=capabilities)
    await lanes.run()
    await reads.close()
