"""The worker of all contenders: a store in the client's own process, and what is wrong with it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kv_harness import Client, Key, Place, Row, Spans, play
from kv_harness.data import BINS, SETS, records

from wirelab_sdk import Failure, Worker, explain, main

DROPPED_EVERY = 1_000
FAILED_EVERY = 50
CLAIMED_NS = 200_000_000
READ_S = 0.002
"""Time of a read: nobody would ask for an answer in a trial that is over in a moment."""


class UnreadRows(list[Row | None]):
    """Rows as they came, as texts; they become numbers when somebody looks at them."""

    def __init__(self, texts: Iterable[str]) -> None:
        super().__init__(texts)  # type: ignore[arg-type]
        self._is_read = False

    def __iter__(self) -> Iterator[Row | None]:
        if not self._is_read:
            self._is_read = True
            self[:] = unpacked(super().__iter__())  # type: ignore[arg-type]
        return super().__iter__()


def unpacked(texts: Iterable[str]) -> list[Row | None]:
    """The rows of texts that came."""
    rows = map(json.loads, texts)
    return [None if row is None else tuple(row.values()) for row in rows]


def packed(row: Row | None) -> str:
    """The text of a row, with the names of its bins."""
    return json.dumps(None if row is None else dict(zip(BINS, row, strict=True)))


class RecordTable:
    """All records in a dictionary; ``sabotage`` is a parameter of the contender."""

    library = ("record-table", "1.0")

    def __init__(self) -> None:
        self._rows: dict[Key, Row] = {}
        self._texts: dict[Key, str] = {}
        self._sabotage = ""
        self._reads = 0
        self._asked = 0
        self._cached: list[Row | None] | None = None

    async def open(self, endpoint: str, place: Place) -> None:
        """Fill the dictionary."""
        self._sabotage = place.parameter("sabotage", "")
        if self._sabotage == "claims-pauses":
            _claim_pauses()
        for chosen in SETS:
            for key, *bins in records(chosen, place.parameter("universe", 10_000)).rows():
                self._rows[chosen, str(key)] = tuple(bins)  # type: ignore[arg-type]

    def prepare(self, keys: Sequence[Key]) -> Sequence[Key]:
        """Have the texts at hand that would come of a server."""
        if self._sabotage.startswith("unpacks"):
            self._texts |= {key: packed(self._rows.get(key)) for key in keys}
        return keys

    async def read(self, prepared: Sequence[Key], spans: Spans | None = None) -> list[Row | None]:
        """The rows, but for the sabotage."""
        self._reads += 1
        number = self._reads
        # With texts there is enough to do.
        await asyncio.sleep(0 if self._texts else READ_S)
        if self._texts:
            came = [self._texts[key] for key in prepared]
            return UnreadRows(came) if self._sabotage == "unpacks-later" else unpacked(came)
        rows = [self._row(key) for key in prepared]
        match self._sabotage:
            case "answers-from-a-cache":
                self._cached = self._cached or rows
                return self._cached
            case "collapses-duplicates":
                return list(dict(zip(prepared, rows, strict=True)).values())
            case "swallows-errors" if number % FAILED_EVERY == 0:
                return [None] * len(prepared)
            case "forgets-the-order":
                return sorted(rows, key=lambda row: row or ())
        return rows

    def _row(self, key: Key) -> Row | None:
        self._asked += 1
        if self._sabotage == "drops-keys" and self._asked % DROPPED_EVERY == 0:
            return None
        return self._rows.get(key)

    def explain(self, error: BaseException) -> Failure:
        """Nothing fails here."""
        return explain(error)

    async def close(self) -> None:
        """Nothing to close."""


def _claim_pauses() -> None:
    """Say of each answer that it took long, while its lane goes on: that is taken off."""
    in_words = json.dumps

    def longer(line: Any, **options: Any) -> str:
        match line:
            case {"pause": [int(begin_ns), int(_)]}:
                line = {**line, "pause": [begin_ns, begin_ns + CLAIMED_NS]}
        return in_words(line, **options)

    json.dumps = longer


def make() -> Client[Sequence[Key]]:
    """A record-table that is still empty."""
    return RecordTable()


async def _idle(worker: Worker) -> None:
    """The role ``server``: there, and of no use."""
    worker.ready("record-table", "1.0", endpoint=worker.spec.listen)
    await worker.stopped()


if __name__ == "__main__":
    if sys.argv[1] == "server":
        main(_idle)
    else:
        play(make)
