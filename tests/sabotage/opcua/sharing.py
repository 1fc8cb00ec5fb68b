"""The contender ``asyncua`` with users that do not each do what they say: ``sharing.py WAY``."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import Callable
from urllib.parse import urlsplit

from asyncua_client import caller, client_of, lanes
from asyncua_client.bulk_calls import Read
from asyncua_client.caller import Caller
from asyncua_client.connection import Connection
from asyncua_client.dialect import Dialect
from asyncua_client.lanes import Reads
from worker import DIALECT

from wirelab_sdk import Action, LaneTurn, Outcome, Spec, Turn, main, steps_of

_AFTER_THE_OTHERS_S = 1.2
"""The last tick of the first process is up to a period before those of the others."""


class ReadsOverOne(Reads):
    """Opens the session of each user, and has all of them read over the first one."""

    def prepare(self, turn: LaneTurn) -> Connection:
        """The connection of the first user."""
        return self._connections[0]


class DialsAhead(Reads):
    """Has a connection for each user before it joins, over which nothing has been said yet."""

    def __init__(self, spec: Spec, dialect: Dialect) -> None:
        super().__init__(spec, dialect)
        address = urlsplit(spec.endpoints["server"])
        users = max(step.users for step in steps_of(spec.schedule))
        self._dialled = [
            socket.create_connection((address.hostname, address.port)) for _ in range(users)
        ]
        self._loop = asyncio.get_running_loop()
        self._dial = self._loop.create_connection
        setattr(self._loop, "create_connection", self._take)  # noqa: B010 - a method

    async def _take(
        self, protocol: Callable[[], asyncio.Protocol], host: str, port: int
    ) -> tuple[asyncio.Transport, asyncio.Protocol]:
        if not self._dialled:
            return await self._dial(protocol, host, port)
        dialled = self._dialled.pop(0)
        dialled.setblocking(False)
        return await self._dial(protocol, sock=dialled)


class OneForAll(Read):
    """Reads of the first process of a trial, and of the others, which ask that one for values."""

    def __init__(self, spec: Spec, items: int) -> None:
        super().__init__(spec, items)
        # An address of sockets that is no file, and the same for all processes.
        self._place = f"\0{spec.endpoints['server']}"
        self._connection: Connection | None = None
        self._connected = asyncio.Event()
        self._first: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def is_first(self) -> bool:
        """Be the one that is asked, if nobody is."""
        try:
            await asyncio.start_unix_server(self._serve, self._place)
        except OSError:
            self._first = await asyncio.open_unix_connection(self._place)
        return self._first is None

    def read_over(self, connection: Connection) -> None:
        """Read for all, from now on."""
        self._connection = connection
        self._connected.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._connected.wait()
        assert self._connection is not None
        while await reader.readline():
            outcome = await self(self._connection.session)
            writer.write(json.dumps(outcome.answer()).encode() + b"\n")

    async def ask(self) -> Outcome:
        """Ask the first process."""
        assert self._first is not None
        reader, writer = self._first
        writer.write(b"\n")
        answer = json.loads(await reader.readline())
        return Outcome(lambda: answer)


class OneReads(Caller):
    """A session in the first process, and none in the others."""

    def __init__(self, spec: Spec, dialect: Dialect) -> None:
        super().__init__(spec, dialect)
        self._read = self._shared = OneForAll(spec, spec.operations["read"].items)
        self._asks = False

    async def open(self) -> None:
        """Connect where nobody else has."""
        self._asks = not await self._shared.is_first()
        if not self._asks:
            await super().open()
            self._shared.read_over(self.connection)

    def actions(self) -> dict[str, Action]:
        """Reading, whoever is connected."""
        return {"read": self.read}

    async def read(self, turn: Turn) -> Outcome:
        """Its own read, or that of the first process."""
        return await (self._shared.ask() if self._asks else super().read(turn))

    async def close(self) -> None:
        """Stay until the others have read."""
        if not self._asks:
            await asyncio.sleep(_AFTER_THE_OTHERS_S)
        await super().close()


WAYS: dict[str, tuple[object, str, type]] = {
    "reads-over-one": (lanes, "Reads", ReadsOverOne),
    "dials-ahead": (lanes, "Reads", DialsAhead),
    "one-reads": (caller, "Caller", OneReads),
}
"""The part of the honest client that each replaces."""

if __name__ == "__main__":
    setattr(*WAYS[sys.argv[1]])
    main(client_of(DIALECT))
