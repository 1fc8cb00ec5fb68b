"""Changes of the tags: as a subscription tells of them, or as polling finds them."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence

from asyncua import ua

from asyncua_client import tags
from asyncua_client.bulk_calls import Read, outcome_of
from asyncua_client.connection import Connection
from asyncua_client.dialect import Dialect, Leave
from wirelab_sdk import Outcome, Spec, Turn

_KEPT = 20
"""Values of each tag that the server and the library keep for a caller who is behind."""

Values = Sequence[ua.DataValue]


class Changes:
    """The values of all tags after each change: number n is whole when all have come n times more
    than at first.
    """

    def __init__(self, items: int) -> None:
        self._latest = [ua.DataValue()] * items
        self._came = [0] * items
        self._number = 0
        self._missing = items
        self._whole: dict[int, Values] = {}
        self._awaited: dict[int, asyncio.Future[Values]] = {}

    async def number(self, number: int) -> Values:
        """The values after a change, once they have all come."""
        if number in self._whole:
            return self._whole.pop(number)
        self._awaited[number] = asyncio.get_running_loop().create_future()
        return await self._awaited[number]

    def put(self, tag: int, value: ua.DataValue) -> None:
        """Take the next value of a tag."""
        self._latest[tag] = value
        self._came[tag] += 1
        if self._came[tag] == self._number + 1:
            self._missing -= 1
        while not self._missing:
            self._hand_over(list(self._latest))

    def put_all(self, values: Values) -> None:
        """Take the next values of all tags."""
        self._hand_over(values)

    def fail(self, error: Exception) -> None:
        """Tell whoever waits that nothing comes."""
        for waiting in self._awaited.values():
            if not waiting.done():
                waiting.set_exception(error)
        self._awaited.clear()

    def _hand_over(self, values: Values) -> None:
        waiting = self._awaited.pop(self._number, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(values)
        else:
            self._whole[self._number] = values
        self._number += 1
        self._missing = sum(came <= self._number for came in self._came)


class Watch(ABC):
    """An operation that ends when its caller has the values of the change at its tick."""

    def __init__(self, spec: Spec, items: int) -> None:
        self._interval_s = spec.parameter("interval_ns", 0) / 1e9
        self._items = items
        self._changes = Changes(items)

    async def __call__(self, turn: Turn) -> Outcome:
        before = turn.phase == "preflight"
        return outcome_of(await self._changes.number(0 if before else turn.tick + 1), self._items)

    @abstractmethod
    async def begin(self, connection: Connection, dialect: Dialect) -> None:
        """Watch from now on."""

    @abstractmethod
    async def end(self) -> None:
        """Watch no more."""


class Notified(Watch):
    """A subscription with a monitored item for each tag, sampled as often as it publishes."""

    def __init__(self, spec: Spec, items: int) -> None:
        super().__init__(spec, items)
        self._nodes = tags.nodes(spec, items)
        self._leave: Leave | None = None

    async def begin(self, connection: Connection, dialect: Dialect) -> None:
        assert connection.client is not None
        self._leave = await dialect.subscribe(
            connection.client, self._nodes, self._interval_s * 1e3, _KEPT, self._changes
        )

    async def end(self) -> None:
        if self._leave is not None:
            await asyncio.wait({asyncio.ensure_future(self._leave())}, timeout=1)


class Polled(Watch):
    """A Read of all tags again and again; what differs from the one before is a change."""

    def __init__(self, spec: Spec, items: int) -> None:
        super().__init__(spec, items)
        self._read = Read(spec, items)
        self._task: asyncio.Task[None] | None = None

    async def begin(self, connection: Connection, dialect: Dialect) -> None:  # noqa: ARG002 - it has nothing of its own to call
        self._task = asyncio.create_task(self._poll(connection))

    async def end(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _poll(self, connection: Connection) -> None:
        known: list[object] = []
        loop = asyncio.get_running_loop()
        due = loop.time()
        while True:
            try:
                results = await self._read.results(connection.session)
                found = [one.Value.Value if one.Value else None for one in results]
                if found != known:
                    self._changes.put_all(results)
                known = found
            except Exception as error:
                # Said by whoever waits for a change.
                self._changes.fail(error)
            due += self._interval_s
            await asyncio.sleep(due - loop.time())


def watch_of(spec: Spec) -> dict[str, Watch]:
    """By operation: the way in which this spec has the tags watched; empty where it has none."""
    ways: dict[str, type[Watch]] = {"notification": Notified, "poll": Polled}
    return {
        name: way(spec, spec.operations[name].items)
        for name, way in ways.items()
        if name in spec.operations
    }
