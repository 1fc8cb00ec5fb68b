"""From the time of day, by which the kernel stamps packets, to CLOCK_MONOTONIC.

Both clocks are slewed together, so that their distance changes only where the time of day is set.
It is read ten times a second; the best reading between two steps holds for all of that time.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

_STEP_NS = 20_000
"""The most that two readings of the distance may differ beyond what reading them took."""

_AROUND_NS = 200_000_000
"""Before and after a step: packets of a period may be seen in the next one."""


class Clocks:
    """Readings of both clocks, in order: time of day, CLOCK_MONOTONIC, and how long each took."""

    def __init__(self, realtime_ns: Ints, monotonic_ns: Ints, spread_ns: Ints) -> None:
        self.monotonic_ns = monotonic_ns
        distance = realtime_ns - monotonic_ns
        allowed = spread_ns[1:] + spread_ns[:-1] + _STEP_NS
        self._stepped = np.flatnonzero(np.abs(np.diff(distance)) > allowed)
        self._distance = distance.copy()
        for part in np.split(np.arange(len(distance)), self._stepped + 1):
            if len(part):
                self._distance[part] = distance[part[np.argmin(spread_ns[part])]]

    def monotonic(self, stamps: Ints, period: Ints) -> Ints:
        """Stamps of the time of day as CLOCK_MONOTONIC; ``period`` is the number of the reading
        before each of them."""
        if not len(self._distance):
            return stamps
        converted: Ints = stamps - self._distance[np.maximum(period, 0)]
        return converted

    def steps(self) -> Iterator[tuple[int, int]]:
        """Times around which the time of day was set."""
        for before in self._stepped:
            begin, end = self.monotonic_ns[before], self.monotonic_ns[before + 1]
            yield int(begin) - _AROUND_NS, int(end) + _AROUND_NS
