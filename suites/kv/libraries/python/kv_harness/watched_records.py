"""Records of YCSB's user table that a service looks into while clients write: a field holds what
was loaded, or what a write has put there, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from kv_harness.data import mix
from kv_harness.user_table import FIELD_BYTES, FIELDS, sequence_of

_POPULAR = 16
"""Records that are asked for most: in A, B and F every third operation is one of theirs."""
_AHEAD = 64
"""Inserts that may be under way."""

Fields = Sequence[bytes | None]
RECORD_BYTES = FIELDS * FIELD_BYTES


class WatchedRecords:
    """The records that are written most, and those that are inserted."""

    def __init__(self, loaded: int) -> None:
        self.loaded = loaded
        self.popular = {mix(rank) % loaded for rank in range(_POPULAR)}
        self._awaited: set[int] = set()
        self._inserted = loaded
        """No number from here on was looked for."""
        self._broken: set[int] = set()

    @property
    def broken(self) -> int:
        """Count the records that held what no write has put there."""
        return len(self._broken)

    def due(self, held: int) -> list[int]:
        """Numbers of the records to look into, where there are so many."""
        until = max(self._inserted, held + _AHEAD if held > self.loaded else 0)
        self._awaited.update(range(self._inserted, until))
        self._inserted = until
        return [*self.popular, *self._awaited]

    def found(self, number: int, fields: Fields) -> None:
        """Note what a record holds; nothing at all, where it is not there yet."""
        if fields and all(field is None for field in fields):
            return
        self._awaited.discard(number)
        if not is_whole(number, fields, self.loaded):
            self._broken.add(number)


class CountedLooks(WatchedRecords):
    """The same in a database whose own counts tell of all that was asked: also of what is asked
    for here.
    """

    def __init__(self, loaded: int) -> None:
        super().__init__(loaded)
        self.looks = 0
        """Records that were looked for here."""
        self.heard = 0
        """Bytes of the answers."""


def is_whole(number: int, fields: Fields, loaded: int) -> bool:
    """Whether each field holds what was loaded, or what some write has put there."""
    right = (
        field is not None and sequence_of(field, number, each, loaded) is not None
        for each, field in enumerate(fields)
    )
    return len(fields) == FIELDS and all(right)
