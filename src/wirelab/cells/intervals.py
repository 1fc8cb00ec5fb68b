"""What was counted by the second: exact counts and distributions of one operation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from wirelab.samples.intervals import Interval
from wirelab.stats.counted import CountedSamples


@dataclass(frozen=True)
class OperationIntervals:
    """All intervals of one operation; several of one second add up."""

    intervals: list[Interval] = field(default_factory=list)

    def counts(self, seconds: range) -> dict[str, int]:
        """Counts by name over these seconds after tick 0."""
        totals: dict[str, int] = {}
        for interval in self.intervals:
            if interval.second in seconds:
                for name, count in interval.counts.items():
                    totals[name] = totals.get(name, 0) + count
        return totals

    def durations(self, kind: str, seconds: range) -> CountedSamples:
        """The ``service`` or ``response`` times of these seconds, a block a second."""
        found = [
            (interval.second - seconds.start, histogram)
            for interval in self.intervals
            if interval.second in seconds
            and (histogram := interval.histograms.get(kind)) is not None
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
