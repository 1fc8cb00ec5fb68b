"""Counts of deliveries in one second, as a line of the interval file has them.

On its own: tests hold it to the vectors of the worker contract.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field

from hdrh.histogram import HdrHistogram

_LOWEST_NS = 1_000
_HIGHEST_NS = 120_000_000_000
_DIGITS = 3
_UNIT_BITS = 9
_SUB_BUCKET_BITS = 11
"""Buckets of a histogram with that lowest value and those digits: 512 ns wide at first, and 2,048
of them until they become twice as wide."""


def bucket(ns: int) -> int:
    """The shortest duration that the histogram does not tell from this one.

    Recording costs more than a client takes to receive a message: so durations of a bucket are
    counted, and recorded together.
    """
    units = min(max(ns, 0), _HIGHEST_NS) >> _UNIT_BITS
    shift = max(0, units.bit_length() - _SUB_BUCKET_BITS)
    return (units >> shift) << (shift + _UNIT_BITS)


def _encoded(counted: Counter[int]) -> str:
    histogram = HdrHistogram(_LOWEST_NS, _HIGHEST_NS, _DIGITS)
    for ns, count in counted.items():
        histogram.record_value(ns, count)
    encoded: bytes = histogram.encode()
    return encoded.decode()


@dataclass
class Tally:
    """Counts of one second; durations by their buckets."""

    expected: int = 0
    received: int = 0
    duplicates: int = 0
    reordered: int = 0
    held: int = 0
    wrong: int = 0
    bytes: int = 0
    service: Counter[int] = field(default_factory=Counter)
    response: Counter[int] = field(default_factory=Counter)

    def line(self, second: int, step: str | None) -> str:
        """A line of the interval file. Open loops have response times and no step."""
        said: dict[str, object] = {"second": second, "operation": "delivery"}
        if step is not None:
            said["step"] = step
        names = ("expected", "received", "duplicates", "reordered", "held", "wrong", "bytes")
        said["counts"] = {name: getattr(self, name) for name in names}
        if self.service:
            said["service"] = _encoded(self.service)
        if step is None and self.response:
            said["response"] = _encoded(self.response)
        return json.dumps(said, separators=(",", ":"))
