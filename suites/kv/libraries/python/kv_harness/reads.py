"""The operation ``read``, for clients that are awaited and for those that block."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import numpy as np

from kv_harness.answers import Repeats, checksum, summary_of
from kv_harness.client import AnyClient, BlockingClient, Client, Place, Row
from kv_harness.data import exist
from kv_harness.multi_gets import MULTI_GETS, MultiGetSettings, asked, keys_of, number
from wirelab_sdk import Failure, LaneTurn, Outcome, Spec, Status, Step


class _Reads:
    """The part that does not depend on how a client is called."""

    def __init__(self, client: AnyClient, spec: Spec) -> None:
        self._client = client
        self._spec = spec
        self._steps: dict[str, MultiGetSettings] = {}
        self._prepared: dict[MultiGetSettings, list[Any]] = {}
        self._repeats = Repeats()
        self._forgets = any(facts.get("forgets") for facts in spec.facts.values())
        self.is_open = False

    def begin(self, step: Step) -> None:
        """Prepare the multi-gets of a step."""
        what = self._steps[step.name] = asked(self._spec, step)
        if self._spec.schedule.is_closed:
            self._prepared = {what: self._prepared[what]} if what in self._prepared else {}
        if what not in self._prepared:
            self._prepared[what] = [
                self._client.prepare(keys_of(self._spec.seed, what, multi_get))
                for multi_get in range(MULTI_GETS)
            ]
            if self._spec.parameter("reference", "first", step) == "data":
                self._take_from_the_data(what)

    def _take_from_the_data(self, what: MultiGetSettings) -> None:
        """Take from the data how many records each multi-get finds: where the server fails from the
        start, no answer can be the measure of others.
        """
        for multi_get in range(MULTI_GETS):
            keys = keys_of(self._spec.seed, what, multi_get)
            numbers = np.array([int(key[1:]) for _, key in keys], dtype=np.uint64)
            self._repeats.preset((what, multi_get), int(exist(what.chosen, numbers).sum()))

    def prepare(self, turn: LaneTurn) -> Any:
        """The multi-get of a turn, as the client takes it."""
        return self._prepared[self._steps[turn.step.name]][number(turn.tick, turn.lane)]

    def judge(self, turn: LaneTurn, result: list[Row | None]) -> Outcome:
        """Like the same multi-get before, or a wrong answer; of a server that forgets, also without
        some of its records.
        """
        what, multi_get = self._steps[turn.step.name], number(turn.tick, turn.lane)
        try:
            found = summary_of(result)
        except TypeError:  # text where a number belongs
            return Outcome(dict, status=Status.WRONG_ANSWER)
        status = Status.OK
        if not self._repeats.agree((what, multi_get), what.keys, result, found):
            lacks = self._forgets and self._repeats.lacks((what, multi_get), found)
            status = Status.ITEM_ERROR if lacks else Status.WRONG_ANSWER
        return Outcome(
            answer=lambda: {
                "multi_get": multi_get,
                "set": what.chosen,
                "keys": what.keys,
                "found": found.found,
                "checksum": checksum(result),
            },
            status=status,
            size=found.found,
        )

    def explain(self, error: BaseException) -> Failure:
        """In the words of the library."""
        return self._client.explain(error)


class AsyncReads(_Reads):
    """Reads of a client on asyncio."""

    _client: Client[Any]

    def __init__(self, client: Client[Any], spec: Spec) -> None:
        super().__init__(client, spec)
        self._opening = asyncio.Lock()

    async def open(self) -> None:
        """Connect, unless that has been done."""
        async with self._opening:
            if not self.is_open:
                await self._client.open(self._spec.endpoints["server"], Place(self._spec))
                self.is_open = True

    async def call(self, prepared: Any) -> list[Row | None]:
        """The timed part; it connects where nobody has."""
        if not self.is_open:
            await self.open()
        return await self._client.read(prepared)


class BlockingReads(_Reads):
    """Reads of a client for threads."""

    _client: BlockingClient[Any]

    def __init__(self, client: BlockingClient[Any], spec: Spec) -> None:
        super().__init__(client, spec)
        self._opening = threading.Lock()

    def open(self) -> None:
        """Connect, unless that has been done."""
        with self._opening:
            if not self.is_open:
                self._client.open(self._spec.endpoints["server"], Place(self._spec))
                self.is_open = True

    def call(self, prepared: Any) -> list[Row | None]:
        """The timed part; it connects where nobody has."""
        if not self.is_open:
            self.open()
        return self._client.read(prepared)
