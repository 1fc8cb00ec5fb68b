"""Counts of deliveries in one second, as a line of the interval file has them."""

from __future__ import annotations

from dataclasses import dataclass, field

from wirelab_sdk.intervals import Durations, Interval

_COUNTS = ("expected", "received", "duplicates", "reordered", "held", "wrong", "bytes")


@dataclass
class Tally:
    """Counts of one second, and how long deliveries took."""

    expected: int = 0
    received: int = 0
    duplicates: int = 0
    reordered: int = 0
    held: int = 0
    wrong: int = 0
    bytes: int = 0
    service: Durations = field(default_factory=Durations)
    response: Durations = field(default_factory=Durations)
    """Empty in a closed loop."""

    def interval(self, second: int, step: str) -> Interval:
        """The line of a second; ``step`` is that of a closed loop."""
        counts = {name: getattr(self, name) for name in _COUNTS}
        return Interval(second, "delivery", counts, step, self.service, self.response)
