"""Values that a read may find, by the order in which writes began and ended."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field

Cell = tuple[int, int]
"""Number of a record, and of a field in it."""


@dataclass(slots=True)
class _History:
    """Writes of one cell that a read may find."""

    ended: set[int] = field(default_factory=lambda: {0})
    """The writes that no other one replaced: it began when they had ended."""
    under_way: dict[int, frozenset[int]] = field(default_factory=dict)
    """By write: what had ended before it began. One that failed may have come through and stays."""
    read_by: set[int] = field(default_factory=set)
    """Values that a change has replaced: it had read them, and nobody had written since."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Values of each cell that a read may find: the one there when it began, and all that came
    later.
    """

    then: tuple[frozenset[int], ...]
    since: int


class Sequences:
    """Numbers writes in the order in which they begin; for several threads.

    A read that finds a value which was replaced by a write that had ended before the read began is
    stale; one that finds a value nobody wrote is wrong.
    """

    def __init__(self, records: int) -> None:
        self._lock = threading.Lock()
        self._cells: dict[Cell, _History] = {}
        self._last = 0
        self._inserted = records
        self._waiting: set[int] = set()
        self._newest = records - 1

    @property
    def newest(self) -> int:
        """The highest number below which every record is there."""
        return self._newest

    def insert(self) -> int:
        """Number of a record that is to be inserted."""
        with self._lock:
            self._inserted += 1
            return self._inserted - 1

    def inserted(self, number: int) -> None:
        """The record is there."""
        with self._lock:
            self._waiting.add(number)
            while self._newest + 1 in self._waiting:
                self._newest += 1
                self._waiting.remove(self._newest)

    def begin_write(self, number: int, fields: Iterable[int]) -> int:
        """A write of these fields of a record begins; its sequence number."""
        with self._lock:
            self._last += 1
            for each in fields:
                history = self._cells.setdefault((number, each), _History())
                history.under_way[self._last] = frozenset(history.ended)
            return self._last

    def end_write(self, number: int, fields: Iterable[int], sequence: int) -> None:
        """The write was acknowledged."""
        with self._lock:
            for each in fields:
                history = self._cells[number, each]
                history.ended -= history.under_way.pop(sequence)
                history.ended.add(sequence)

    def begin_read(self, number: int, fields: Iterable[int]) -> Seen:
        """A read of these fields begins."""
        with self._lock:
            return Seen(tuple(self._then(number, each) for each in fields), self._last)

    def _then(self, number: int, each: int) -> frozenset[int]:
        history = self._cells.get((number, each))
        if history is None:
            return _LOADED
        return frozenset(history.ended).union(history.under_way)

    def changed(self, cell: Cell, before: int) -> bool:
        """A change replaced what it had read; False where another one had replaced it already."""
        with self._lock:
            history = self._cells[cell]
            is_first = before not in history.read_by
            history.read_by.add(before)
            return is_first


_LOADED = frozenset({0})


def may_find(seen: Seen, place: int, sequence: int) -> bool:
    """Whether a read may find that write in the field at that place of those it asked for."""
    return sequence in seen.then[place] or sequence > seen.since
