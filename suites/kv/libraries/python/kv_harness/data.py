"""The records of the suite; its ``README.md`` defines them.

Shared by the databases, which load them, and by the clients, which draw keys from the same function
and know nothing of what is right.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha512
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

SETS = range(1, 10)
WHOLE_BINS = tuple(f"c{j}" for j in range(5))
REAL_BINS = tuple(f"d{j}" for j in range(8))
BINS = WHOLE_BINS + REAL_BINS
ROW_FORMAT = "<5q8d"
"""A packed record, in the words of the module `struct`: 104 bytes."""

_FOUND = (0, 840, 895, 645, 575, 980, 760, 910, 0, 690)
_CARDINALITY = np.array((100_000, 50_000, 20_000, 10_000, 3), dtype=np.uint64)
_ROW = np.dtype([("whole", "<i8", len(WHOLE_BINS)), ("real", "<f8", len(REAL_BINS))])
_MESSAGE = struct.Struct("<IQI")
"""Set, key and number of a digest: they are hashed after the secret."""
_A_DIGEST = 8
"""Bins that a digest has the bits of."""
_DIGESTS = range(-(-len(BINS) // _A_DIGEST))
_AT_ONCE = 500
_U64 = 0xFFFF_FFFF_FFFF_FFFF

T = TypeVar("T")
Whole = TypeVar("Whole", int, NDArray[Any])


def name_of(chosen: int, key: str) -> str:
    """The key of a record where a database has no sets: ``wirelab:set_1:k17``, a name of ours."""
    return f"wirelab:set_{chosen}:{key}"


def parts(items: Iterable[T]) -> Iterator[list[T]]:
    """As many at a time as one request to a server may ask for."""
    walk = iter(items)
    while part := list(itertools.islice(walk, _AT_ONCE)):
        yield part


def mix(x: Whole) -> Whole:
    """The finaliser of splitmix64, of an integer below 2^64 or of each one in an array."""
    z = (x + 0x9E3779B97F4A7C15) & _U64
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _U64
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _U64
    return z ^ z >> 31


def exist(chosen: int, keys: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Whether each of these keys of a set has a record. It depends on no secret."""
    if chosen not in SETS:
        return np.zeros(len(keys), dtype=np.bool_)
    row = mix(np.uint64(chosen << 32) | keys)
    there: NDArray[np.bool_] = row % 1000 < _FOUND[chosen]
    return there


def count(chosen: int, universe: int) -> int:
    """Count the records of a set."""
    return int(exist(chosen, np.arange(universe, dtype=np.uint64)).sum())


@dataclass(frozen=True, slots=True)
class Records:
    """The records of one set that exist, in the order of their keys."""

    keys: list[str]
    whole: NDArray[np.int64]
    """Bins ``c0`` to ``c4``, a line a record."""
    real: NDArray[np.float64]
    """Bins ``d0`` to ``d7``, a line a record."""

    def rows(self) -> Iterator[tuple[str | int | float, ...]]:
        """Key and 13 bins, as plain values."""
        for key, whole, real in zip(
            self.keys, self.whole.tolist(), self.real.tolist(), strict=True
        ):
            yield (key, *whole, *real)

    def packed(self) -> Iterator[tuple[str, bytes]]:
        """Key and the record as 104 bytes, see `ROW_FORMAT`."""
        table = np.empty(len(self.keys), dtype=_ROW)
        table["whole"], table["real"] = self.whole, self.real
        content, size = table.tobytes(), _ROW.itemsize
        for number, key in enumerate(self.keys):
            yield key, content[number * size : (number + 1) * size]


def records(chosen: int, universe: int, secret: bytes = b"") -> Records:
    """Records of set ``chosen`` (1 to 9) under the keys ``k0`` to ``k<universe - 1>``; who lacks
    the secret cannot tell any of their bins.
    """
    there = np.flatnonzero(exist(chosen, np.arange(universe, dtype=np.uint64))).tolist()
    drawn = b"".join(
        sha512(secret + _MESSAGE.pack(chosen, key, number)).digest()
        for key in there
        for number in _DIGESTS
    )
    width = len(_DIGESTS) * _A_DIGEST
    bins = np.frombuffer(drawn, dtype="<u8").reshape(len(there), width)[:, : len(BINS)]
    whole, real = np.hsplit(bins, [len(WHOLE_BINS)])
    return Records(
        keys=[f"k{k}" for k in there],
        whole=(whole % _CARDINALITY).astype(np.int64),
        real=((real >> 11) * 2.0**-53).astype(np.float64),
    )
