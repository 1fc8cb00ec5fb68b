"""Counts by the second: exact counts and distributions of one operation.

In a closed loop a line belongs to its step, whole; its second only says in which block it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from wirelab.cells.window import Window
from wirelab.monitor.look import PERIOD_NS
from wirelab.samples.intervals import KINDS, Interval
from wirelab.stats.disturbed import DisturbedTime
from wirelab.stats.histograms import Flags, HistogramSamples, Ints, quiet_blocks

AHEAD_NS = PERIOD_NS
"""After a second, for all contenders alike: of what ends sooner nothing is cut off."""


@dataclass(frozen=True)
class QuietSeconds:
    """Quiet seconds of a window, and how long it stays quiet after each of them, in ns."""

    chosen: Flags
    until_ns: Ints

    @property
    def share_left_out(self) -> float:
        """Share of the seconds that are not quiet."""
        return 1 - float(self.chosen.mean())

    def holds(self, interval: Interval, window: Window) -> bool:
        """Whether an interval of the window is of one of these seconds."""
        return bool(self.chosen[_block_of(interval, window.whole_seconds)])


@dataclass(frozen=True)
class OperationIntervals:
    """All intervals of one operation; several of one second add up."""

    intervals: list[Interval] = field(default_factory=list)

    def counts(self, window: Window, quiet: QuietSeconds | None = None) -> dict[str, int]:
        """Counts by name over the window; of its quiet seconds alone where those are given."""
        totals: dict[str, int] = {}
        for interval in self.intervals:
            if window.holds(interval) and (quiet is None or quiet.holds(interval, window)):
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

    def durations(
        self, kind: str, window: Window, quiet: QuietSeconds | None = None
    ) -> HistogramSamples:
        """The ``service`` or ``response`` times of the window, a block a second; of its quiet
        seconds alone where those are given, cut off where others disturb the host next."""
        held = [interval for interval in self.intervals if window.holds(interval)]
        found = _in_blocks(held, kind, window.whole_seconds)
        return found if quiet is None else quiet_blocks(found, quiet.chosen, quiet.until_ns)

    def quiet_seconds(
        self, window: Window, disturbed: DisturbedTime, limit: int
    ) -> QuietSeconds | None:
        """The quiet ones of the window's seconds; None where all of its time is quiet.

        Nobody knows when within a second something was intended. So a second is quiet if it and
        ``AHEAD_NS`` after it are, and nothing of a disturbed second before was still under way
        when it began (after its ``limit`` at most). What lasts longer is cut off at the next
        disturbance, counted from the second's end, as it is where each operation was kept.
        """
        if not disturbed:
            return None
        seconds = range(window.whole_seconds.stop)
        begins, ends = window.second_bounds(seconds)
        following = disturbed.next_begin(begins)
        disturbed_there = disturbed.holds(begins) | (following < ends)
        longest = np.maximum(*(_longest(self.all_durations(kind, seconds)) for kind in KINDS))
        reach = np.where(disturbed_there, begins + np.minimum(longest, limit), begins)
        reached = np.maximum.accumulate(np.append(begins[0], reach[:-1]))
        quiet = ~disturbed_there & (following >= ends + AHEAD_NS) & (reached <= begins)
        own = slice(window.whole_seconds.start, window.whole_seconds.stop)
        return QuietSeconds(quiet[own], (following - ends)[own])

    def all_durations(self, kind: str, seconds: range) -> HistogramSamples:
        """The same of these seconds after tick 0, whatever was measured in them."""
        found = [interval for interval in self.intervals if interval.second in seconds]
        return _in_blocks(found, kind, seconds)


def _block_of(interval: Interval, seconds: range) -> int:
    """A worker may date a line of a closed loop a second beside its step."""
    return min(max(interval.second - seconds.start, 0), len(seconds) - 1)


def _longest(samples: HistogramSamples) -> Ints:
    """The longest duration of each block, ns; 0 of an empty one."""
    held = samples.counts > 0
    if not held.any():
        return np.zeros(samples.blocks, dtype=np.int64)
    longest: Ints = np.where(held, samples.highs, 0).max(axis=1)
    return longest


def _in_blocks(intervals: Iterable[Interval], kind: str, seconds: range) -> HistogramSamples:
    found = [
        (_block_of(interval, seconds), histogram)
        for interval in intervals
        if (histogram := interval.histograms.get(kind)) is not None
    ]
    if not found:
        none = np.empty(0, dtype=np.int64)
        return HistogramSamples(none, none, np.empty((len(seconds), 0), dtype=np.int64))
    lows = np.unique(np.concatenate([histogram.lows for _, histogram in found]))
    highs = np.zeros(len(lows), dtype=np.int64)
    counts = np.zeros((len(seconds), len(lows)), dtype=np.int64)
    for block, histogram in found:
        at = np.searchsorted(lows, histogram.lows)
        np.maximum.at(highs, at, histogram.highs)
        np.add.at(counts[block], at, histogram.counts)
    return HistogramSamples(lows, highs, counts)


def by_operation(intervals: Iterable[Interval]) -> Mapping[str, OperationIntervals]:
    """Intervals by the operation they are of."""
    found: dict[str, OperationIntervals] = {}
    for interval in intervals:
        found.setdefault(interval.operation, OperationIntervals()).intervals.append(interval)
    return found
