"""A multi-get's entry in the answers file, and the check that every multi-get gets."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from kv_harness.client import Row
from kv_harness.data import BINS, ROW_FORMAT

_PACKED = struct.Struct(ROW_FORMAT)
_ABSENT = b"\xff" * _PACKED.size
_PRIME = np.uint64(0x100000001B3)


def checksum(rows: Sequence[Row | None]) -> str:
    """Checksum over every value at its place, as 16 hex digits; struct.error where a row is no
    record.
    """
    content = b"".join(_ABSENT if row is None else _PACKED.pack(*row) for row in rows)
    bits = np.frombuffer(content, dtype="<u8").reshape(len(rows), len(BINS))
    place = np.arange(len(rows), dtype=np.uint64)
    h = place + 1
    for column in bits.T:
        h = h * _PRIME + column
    # Odd factors, so that rows in each other's place are another sum.
    return f"{int((h * (2 * place + 1)).sum(dtype=np.uint64)):016x}"


@dataclass(frozen=True, slots=True)
class Summary:
    """The part that two reads of a multi-get must have in common."""

    found: int
    total: int | float
    """Sum of bin ``c0`` over the records found."""


def summary_of(rows: Sequence[Row | None]) -> Summary:
    """Cheap enough for every multi-get."""
    there = [row[0] for row in rows if row is not None]
    return Summary(len(there), sum(there))


@dataclass(slots=True)
class Repeats:
    """Knows what each multi-get gave first; for several threads."""

    _first: dict[object, Summary] = field(default_factory=dict)
    _there: dict[object, int] = field(default_factory=dict)

    def preset(self, multi_get: object, found: int) -> None:
        """Preset how many records ``multi_get`` finds, where its first answer may lack some."""
        self._there[multi_get] = found

    def agree(
        self, multi_get: object, keys: int, rows: Sequence[Row | None], found: Summary
    ) -> bool:
        """Whether ``rows`` are as many as ``keys``, and as ``multi_get`` gave before."""
        if len(rows) != keys or self._there.get(multi_get, found.found) != found.found:
            return False
        return self._first.setdefault(multi_get, found) == found

    def lacks(self, multi_get: object, found: Summary) -> bool:
        """Whether records are missing that ``multi_get`` is known to find."""
        first = self._first.get(multi_get)
        known = self._there.get(multi_get, first.found if first else 0)
        return found.found < known
