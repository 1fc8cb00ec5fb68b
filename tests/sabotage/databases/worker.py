"""A client of a database whose answers are right, and who does not ask for them when it says it
does."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from threading import Thread

from drowning import DROWNING
from kv_harness import Client, Key, Place, Row, Spans, play
from kv_harness.data import SETS, records
from kv_harness.multi_gets import asked, keys_of, number
from stores import Batch, Redis, Rows, Store, Unheard, store_at

from wirelab_sdk import Failure, Spec, explain
from wirelab_sdk.lane_work import Ended, LaneRecords

_AT_ONCE = 1_000


class Cheat:
    """Cheats in one way; what it cannot have in that way yet, it asks for as others do."""

    library = Redis.library

    def __init__(self) -> None:
        self._store: Store = Redis()
        self._read: Callable[[Batch], Awaitable[Rows]] = self._ask
        self._reads = 0
        self._known: dict[Key, Row | None] = {}
        self._cache: dict[Batch, Rows] = {}
        self._under_way: dict[Batch, asyncio.Task[Rows]] = {}
        self._ahead: defaultdict[Batch, list[asyncio.Task[Rows]]] = defaultdict(list)
        self._fetched: defaultdict[Batch, list[Rows]] = defaultdict(list)
        self._unheard = Unheard()

    async def open(self, endpoint: str, place: Place) -> None:
        """Connect, unless it means never to ask."""
        self._spec = place.spec
        way = place.parameter("sabotage", "")
        self._read = {
            "foretells": self._recall,
            "reads-files": self._ask,
            "stamps-late": self._ask,
            "says-another-version": self._ask,
            "never-asks-again": self._recall,
            "records-one-more": self._asked_for_one_known,
            "answers-from-a-cache": self._cached,
            "blinds-the-witness": self._cached,
            "drowns-the-witness": self._cached,
            "drowns-it-in-datagrams": self._cached,
            "coalesces": self._coalesced,
            "prefetches": self._fetched_ahead,
            "asks-for-fewer": self._asked_in_part,
            "asks-for-others": self._asked_for_others,
            "asks-for-one-often": self._asked_for_one,
            "asks-for-the-rest-later": self._asked_later,
            "asks-for-two-at-once": self._asked_for_two,
            "does-not-wait": self._not_waited_for,
        }[way]
        if way == "foretells":
            # By the rules of the suite, of all that a client is told.
            for chosen in SETS:
                for key, *row in records(chosen, place.parameter("universe", 10_000)).rows():
                    self._known[chosen, str(key)] = tuple(row)  # type: ignore[arg-type]
            return
        if way == "says-another-version":
            self.library = (self.library[0], "9.0.0")
        if way == "reads-files":
            _look_for_files(place.spec)
        self._store = store_at(endpoint)
        await self._store.open(endpoint)
        if way == "does-not-wait":
            await self._unheard.open(endpoint)
        if way == "blinds-the-witness":
            await self._speak_otherwise(endpoint)
        if way in DROWNING:
            Thread(target=DROWNING[way], args=(endpoint,), daemon=True).start()
        if way == "records-one-more":
            _record_one_more()
        if way == "stamps-late":
            _stamp_late()
        if way in ("never-asks-again", "records-one-more"):
            await self._take_all(place.parameter("universe", 10_000))

    async def _speak_otherwise(self, endpoint: str) -> None:
        """On another connection, a command as somebody would type it."""
        host, _, port = endpoint.rpartition("/")[2].rpartition(":")
        _, self._typed = await asyncio.open_connection(host, int(port))
        self._typed.write(b"PING\r\n")
        await self._typed.drain()

    async def _take_all(self, universe: int) -> None:
        """Before anything is timed, the whole database."""
        keys = [(chosen, f"k{key}") for chosen in SETS for key in range(universe)]
        for begin in range(0, len(keys), _AT_ONCE):
            part = tuple(keys[begin : begin + _AT_ONCE])
            self._known.update(zip(part, await self._ask(part), strict=True))

    def prepare(self, keys: Sequence[Key]) -> Batch:
        """The keys, by which it knows a batch again."""
        return tuple(keys)

    async def read(self, prepared: Batch, spans: Spans | None = None) -> Rows:
        """The right rows, in the way of the cheat."""
        self._reads += 1
        await asyncio.sleep(0.0005)  # not so fast that it shows by itself
        return await self._read(prepared)

    async def _ask(self, batch: Batch) -> Rows:
        return await self._store.ask(batch)

    async def _recall(self, batch: Batch) -> Rows:
        return [self._known.get(key) for key in batch]

    async def _cached(self, batch: Batch) -> Rows:
        if batch not in self._cache:
            self._cache[batch] = await self._ask(batch)
        return self._cache[batch]

    async def _coalesced(self, batch: Batch) -> Rows:
        """Gives one answer to all who ask for the same within a moment."""
        if batch not in self._under_way:
            self._under_way[batch] = asyncio.create_task(self._shared(batch))
        return await self._under_way[batch]

    async def _shared(self, batch: Batch) -> Rows:
        rows = await self._ask(batch)
        await asyncio.sleep(0.05)
        del self._under_way[batch]
        return rows

    async def _fetched_ahead(self, batch: Batch) -> Rows:
        """Asks for the batches of a turn while those of the turn before are under way."""
        following = self._following()
        self._ahead[following].append(asyncio.create_task(self._ask(following)))
        if self._ahead[batch] and batch != following:
            return await self._ahead[batch].pop(0)
        return await self._ask(batch)

    def _following(self) -> Batch:
        """The batch of the same lane in the next turn."""
        (step,) = self._spec.schedule.steps
        tick, lane = divmod(self._reads - 1 + step.lanes, step.lanes)
        return self.prepare(keys_of(self._spec.seed, asked(self._spec, step), number(tick, lane)))

    async def _asked_in_part(self, batch: Batch) -> Rows:
        """Ask for a half of a batch that it has seen."""
        if batch not in self._cache:
            return await self._cached(batch)
        half = len(batch) // 2
        return [*await self._ask(batch[:half]), *self._cache[batch][half:]]

    async def _asked_for_others(self, batch: Batch) -> Rows:
        """Ask for as many other keys, where it has seen the batch."""
        if batch not in self._cache:
            return await self._cached(batch)
        await self._ask(tuple((chosen, f"{key}0") for chosen, key in batch))
        return self._cache[batch]

    async def _asked_for_one(self, batch: Batch) -> Rows:
        """Ask for one key as often as there are keys, where it has seen the batch."""
        if batch not in self._cache:
            return await self._cached(batch)
        await self._ask(batch[:1] * len(batch))
        return self._cache[batch]

    async def _asked_for_one_known(self, batch: Batch) -> Rows:
        """Ask for one key, and have the others from before."""
        await self._ask(batch[:1])
        return await self._recall(batch)

    async def _asked_later(self, batch: Batch) -> Rows:
        """Ask for a half of a batch that it has seen, and for the rest when it has answered."""
        if batch not in self._cache:
            return await self._cached(batch)
        half = len(batch) // 2
        first = await self._ask(batch[:half])
        self._ahead[batch].append(asyncio.create_task(self._ask(batch[half:])))
        return [*first, *self._cache[batch][half:]]

    async def _asked_for_two(self, batch: Batch) -> Rows:
        """Ask for the batch that comes next as well, which then need not be asked for."""
        following = self._following()
        if self._fetched[batch]:
            return self._fetched[batch].pop(0)
        rows = await self._ask((*batch, *following))
        self._fetched[following].append(rows[len(batch) :])
        return rows[: len(batch)]

    async def _not_waited_for(self, batch: Batch) -> Rows:
        """Ask for a batch that it has seen, and do not wait for the answer."""
        if batch in self._cache:
            self._unheard.ask(batch)
        return await self._cached(batch)

    def explain(self, error: BaseException) -> Failure:
        """By Python's own names."""
        return explain(error)

    async def close(self) -> None:
        """Nothing that its end does not close."""


def _record_one_more() -> None:
    """Record the first operation of each lane twice, so that it has more records than turns."""
    keep, twice = LaneRecords.keep, set[int]()

    def kept(records: LaneRecords, ended: Ended) -> None:
        keep(records, ended)
        if ended.turn.lane not in twice:
            twice.add(ended.turn.lane)
            keep(records, ended._replace(start_ns=ended.end_ns))

    LaneRecords.keep = kept  # type: ignore[method-assign]


def _stamp_late() -> None:
    """Record that operations started when most of their time had passed."""
    keep = LaneRecords.keep

    def kept(records: LaneRecords, ended: Ended) -> None:
        passed = (ended.end_ns - ended.start_ns) * 3 // 4
        keep(records, ended._replace(start_ns=ended.start_ns + passed))

    LaneRecords.keep = kept  # type: ignore[method-assign]


def _look_for_files(spec: Spec) -> None:
    """RuntimeError where a file of the database can be read: there it has all that is asked."""
    beside = spec.paths.scratch.parent
    found = [path.name for folder in beside.glob("server*") for path in folder.rglob("*")]
    if found:
        raise RuntimeError(f"the files of the database lie open: {found}")


def make() -> Client[Batch]:
    """A cheat that has not begun."""
    return Cheat()


if __name__ == "__main__":
    play(make)
