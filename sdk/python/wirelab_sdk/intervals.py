"""The interval file: counts and durations of operations too frequent for a record each."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

_SECOND = 1_000_000_000
_LOWEST_NS, _HIGHEST_NS, _DIGITS = 1_000, 120 * _SECOND, 3
_UNIT_BITS, _HALF_BITS = 9, 10
"""Bits below the lowest duration, and of half of a bucket: 2,048 parts for three digits."""
_COOKIE, _COMPRESSED_COOKIE = 0x1C849313, 0x1C849314

T = TypeVar("T")


class Durations:
    """A distribution of durations as the contract bounds it: an HdrHistogram, encoded as V2."""

    __slots__ = ("_counters",)

    def __init__(self) -> None:
        self._counters: dict[int, int] = {}

    def __bool__(self) -> bool:
        return bool(self._counters)

    def add(self, ns: int) -> None:
        """Count one duration; what is out of bounds counts as the nearest bound."""
        units = min(max(ns, 0), _HIGHEST_NS) >> _UNIT_BITS
        wider = max(0, units.bit_length() - _HALF_BITS - 1)
        at = (wider << _HALF_BITS) + (units >> wider)
        self._counters[at] = self._counters.get(at, 0) + 1

    def encoded(self) -> str:
        """Its encoding V2, compressed, in base64."""
        counters = bytearray()
        following = 0
        for at, count in sorted(self._counters.items()):
            if at > following:
                _append(counters, 2 * (at - following) - 1)  # a run of zeros is one negative number
            _append(counters, 2 * count)
            following = at + 1
        about = (_COOKIE, len(counters), 0, _DIGITS, _LOWEST_NS, _HIGHEST_NS, 1.0)
        packed = zlib.compress(struct.pack(">IIIIqqd", *about) + counters)
        header = struct.pack(">II", _COMPRESSED_COOKIE, len(packed))
        return base64.b64encode(header + packed).decode()


def _append(numbers: bytearray, rest: int) -> None:
    """Append a number in groups of seven bits, the lowest first."""
    while rest > 0x7F:
        numbers.append(rest & 0x7F | 0x80)
        rest >>= 7
    numbers.append(rest)


@dataclass(frozen=True)
class Interval:
    """One second of one operation. Lines of the same second and operation add up."""

    second: int
    """After tick 0, by the operations' intended times."""
    operation: str
    counts: Mapping[str, int]
    step: str = ""
    """The step of a closed loop; empty in any other."""
    service: Durations | None = None
    """From the start of each operation; left out when empty."""
    response: Durations | None = None
    """From its intended time; left out when empty."""

    def line(self) -> str:
        """A line of the interval file."""
        said: dict[str, object] = {"second": self.second, "operation": self.operation}
        if self.step:
            said["step"] = self.step
        said["counts"] = dict(self.counts)
        if self.service:
            said["service"] = self.service.encoded()
        if self.response:
            said["response"] = self.response.encoded()
        return json.dumps(said, separators=(",", ":")) + "\n"


class Intervals:
    """Writes intervals to a file, which exists from the beginning."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w", encoding="utf-8")

    def write(self, interval: Interval) -> None:
        """Add one line."""
        self._file.write(interval.line())

    def flush(self) -> None:
        """Make what was written visible to readers of the file."""
        self._file.flush()

    def close(self) -> None:
        """Complete the file."""
        self._file.close()


class BySecond(Generic[T]):
    """Counts of each second after tick 0, until they are taken out to be written.

    What comes for a second after that makes a line of its own.
    """

    def __init__(self, fresh: Callable[[], T]) -> None:
        self._fresh = fresh
        self._counts: dict[int, T] = {}
        self.tick0_ns = 0

    def at(self, ns: int) -> T:
        """The counts of the second of a time; what comes before tick 0 belongs to the first."""
        second = max(0, (ns - self.tick0_ns) // _SECOND)
        if (counts := self._counts.get(second)) is None:
            counts = self._counts[second] = self._fresh()
        return counts

    def settled(self, now_ns: int, seconds: int) -> list[tuple[int, T]]:
        """Take out the seconds that were over so many seconds before ``now_ns``."""
        return self._taken((now_ns - self.tick0_ns) // _SECOND - seconds)

    def all(self) -> list[tuple[int, T]]:
        """Take out all of them."""
        return self._taken(max(self._counts, default=0) + 1)

    def _taken(self, before: int) -> list[tuple[int, T]]:
        seconds = sorted(second for second in self._counts if second < before)
        return [(second, self._counts.pop(second)) for second in seconds]
