"""The contender ``asyncua`` whose subscription publishes in step with the changes."""

from __future__ import annotations

import asyncio

from asyncua import ua
from asyncua_client import Changes, client_of, watching
from asyncua_client.connection import Connection
from asyncua_client.dialect import Dialect, Leave
from asyncua_client.watching import Notified
from worker import DIALECT

from wirelab_sdk import Outcome, Spec, Turn, main

_AFTER_S = 0.002
"""Time from a change to when its publishing is due."""

_TOGETHER = 1.5
"""Periods for which there are two subscriptions: the first change that the later one tells of is
the last one of the earlier."""

_KEPT = 20


class NewOnes(Changes):
    """Hands on the values of several subscriptions, each once."""

    def __init__(self, items: int, to: Changes) -> None:
        super().__init__(items)
        self._to = to
        self._known: set[tuple[int, object]] = set()

    def put(self, tag: int, value: ua.DataValue) -> None:
        """Hand on what is not yet known."""
        assert value.Value is not None
        if (one := (tag, value.Value.Value)) not in self._known:
            self._known.add(one)
            self._to.put(tag, value)


class InStep(Notified):
    """Has another subscription from the first change on, which publishes once from a change to the
    next one, just after it: less often than it is told, and sooner.
    """

    def __init__(self, spec: Spec, items: int) -> None:
        super().__init__(spec, items)
        self._period_s = spec.schedule.period_ns / 1e9
        self._new_ones = NewOnes(items, self._changes)
        self._renewing: asyncio.Task[None] | None = None

    async def begin(self, connection: Connection, dialect: Dialect) -> None:
        """Watch as others do, for now."""
        self._connection, self._dialect = connection, dialect
        self._leave = await self._subscribed(self._interval_s)

    async def _subscribed(self, every_s: float) -> Leave:
        client = self._connection.client
        assert client is not None
        return await self._dialect.subscribe(
            client, self._nodes, every_s * 1e3, _KEPT, self._new_ones
        )

    async def __call__(self, turn: Turn) -> Outcome:
        if turn.phase == "measure" and self._renewing is None:
            self._renewing = asyncio.create_task(self._renew())
        return await super().__call__(turn)

    async def _renew(self) -> None:
        loop, earlier = asyncio.get_running_loop(), self._leave
        await asyncio.sleep(_AFTER_S)
        until = loop.time() + _TOGETHER * self._period_s
        self._leave = await self._subscribed(self._period_s)
        await asyncio.sleep(until - loop.time())
        if earlier is not None:
            await earlier()


if __name__ == "__main__":
    setattr(watching, "Notified", InStep)  # noqa: B010 - a class is no variable to a type checker
    main(client_of(DIALECT))
