"""What was counted by the second: exact counts and distributions of one operation.

In a closed loop a line belongs to its step, whole; its second only says in which block it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from wirelab.cells.window import Window
from wirelab.samples.intervals import Interval
from wirelab.stats.counted import CountedSamples


@dataclass(frozen=True)
class OperationIntervals:
    """All intervals of one operation; several of one second add up."""

    intervals: list[Interval] = field(default_factory=list)

    def counts(self, window: Window) -> dict[str, int]:
        """Counts by name over the window."""
        totals: dict[str, int] = {}
        for interval in self.intervals:
            if window.holds(interval):
                for name, count in interval.counts.items():
                    totals[name] = totals.get(name, 0) + count
        return totals

    def peak(self, name: str, window: Window) -> int:
        """The most that was counted of a name in any second of the window."""
        seconds: Counter[int] = Counter()
        for interval in self.intervals:
            if window.holds(interval):
                seconds[interval.second] += interval.counts.get(name, 0)
        return max(seconds.values(), default=0)

    def durations(self, kind: str, window: Window) -> CountedSamples:
        """The ``service`` or ``response`` times of the window, a block a second."""
        held = [interval for interval in self.intervals if window.holds(interval)]
        return _in_blocks(held, kind, window.whole_seconds)

    def all_durations(self, kind: str, seconds: range) -> CountedSamples:
        """The same of these seconds after tick 0, whatever was measured in them."""
        found = [interval for interval in self.intervals if interval.second in seconds]
        return _in_blocks(found, kind, seconds)


def _in_blocks(intervals: Iterable[Interval], kind: str, seconds: range) -> CountedSamples:
    last = len(seconds) - 1
    found = [
        # A worker may date a line of a closed loop a second beside its step.
        (min(max(interval.second - seconds.start, 0), last), histogram)
        for interval in intervals
        if (histogram := interval.histograms.get(kind)) is not None
    ]
    if not found:
        none = np.empty(0, dtype=np.int64)
        return CountedSamples(none, none, np.empty((len(seconds), 0), dtype=np.int64))
    lows = np.unique(np.concatenate([histogram.lows for _, histogram in found]))
    highs = np.zeros(len(lows), dtype=np.int64)
    counts = np.zeros((len(seconds), len(lows)), dtype=np.int64)
    for block, histogram in found:
        at = np.searchsorted(lows, histogram.lows)
        np.maximum.at(highs, at, histogram.highs)
        np.add.at(counts[block], at, histogram.counts)
    return CountedSamples(lows, highs, counts)


def by_operation(intervals: Iterable[Interval]) -> Mapping[str, OperationIntervals]:
    """Intervals by the operation they are of."""
    found: dict[str, OperationIntervals] = {}
    for interval in intervals:
        found.setdefault(interval.operation, OperationIntervals()).intervals.append(interval)
    return found
