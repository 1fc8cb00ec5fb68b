"""Counts by the second or its tenths: exact counts and distributions of one operation.

In a closed loop a line belongs to its step, whole; its second only says in which block it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from wirelab.cells.window import Window
from wirelab.monitor.look import PERIOD_NS
from wirelab.samples.intervals import KINDS, TENTHS, Interval
from wirelab.stats.disturbed import DisturbedTime
from wirelab.stats.histograms import (
    Flags,
    HistogramSamples,
    Ints,
    added,
    gathered,
    quiet_blocks,
)

AHEAD_NS = PERIOD_NS
"""After a slot, for all contenders alike: of what ends sooner nothing is cut off."""

GRAINS = (1, TENTHS)
"""Slots of a second: a line is of the whole second or of a tenth of it."""


@dataclass(frozen=True)
class QuietSlots:
    """Quiet slots of a window's seconds, ``parts`` of each, and how long it stays quiet after each
    of them, in ns."""

    parts: int
    chosen: Flags
    until_ns: Ints

    @property
    def seconds(self) -> Flags:
        """Seconds of which a slot is quiet."""
        quiet: Flags = np.logical_or.reduce(self.chosen.reshape(-1, self.parts), axis=1)
        return quiet


@dataclass(frozen=True)
class QuietSeconds:
    """Quiet slots of a window, those of a second and those of a tenth."""

    slots: Mapping[int, QuietSlots]
    share_left_out: float
    """Share of the slots that lines are of."""

    def holds(self, interval: Interval, window: Window) -> bool:
        """Whether an interval of the window is of one of these slots."""
        of = self.slots[_grain(interval)]
        return bool(of.chosen[_slot_of(interval, window.whole_seconds)])


@dataclass(frozen=True)
class OperationIntervals:
    """All intervals of one operation; several of one slot add up."""

    intervals: list[Interval] = field(default_factory=list)

    def counts(self, window: Window, quiet: QuietSeconds | None = None) -> dict[str, int]:
        """Counts by name over the window; of its quiet slots alone where those are given."""
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
        slots alone where those are given, cut off where others disturb the host next."""
        seconds = window.whole_seconds
        held = [interval for interval in self.intervals if window.holds(interval)]
        if quiet is None:
            found = _by_second(held, kind, seconds)
            return replace(found, strata=_strata(window)) if window.is_ramp else found
        both = [
            _quiet(_rows(held, kind, seconds, parts), quiet.slots[parts], len(seconds))
            for parts in GRAINS
        ]
        together = added(*both)
        is_fine = self._is_fine(held)
        kept = np.logical_or(*(quiet.slots[parts].seconds for parts in GRAINS))
        kept = kept if is_fine else quiet.slots[1].chosen
        if not window.is_ramp:
            return together.where(kept)
        strata = _strata(window)
        weights = _weights(window, quiet.slots[TENTHS if is_fine else 1], strata)
        return replace(together, strata=strata, weights=weights).where(kept & (weights > 0))

    def quiet_seconds(
        self, window: Window, disturbed: DisturbedTime, limit: int
    ) -> QuietSeconds | None:
        """The quiet slots of the window; None where all of its time is quiet.

        Nobody knows when within a slot something was intended. So a slot is quiet if it and
        ``AHEAD_NS`` after it are, and nothing of a slot in which others ran was still under way
        when it began (after its ``limit`` at most). What lasts longer is cut off at the next
        disturbance, counted from the slot's end, as it is where each operation was kept. What was
        begun while the host recovered is not waited for: as there, that would choose the time in
        which little takes long.
        """
        are_whole = window.bursts and not any(disturbed.touches(*span) for span in window.spans)
        if not disturbed or are_whole:
            return None
        slots = {parts: self._quiet_slots(window, disturbed, limit, parts) for parts in GRAINS}
        held = [interval for interval in self.intervals if window.holds(interval)]
        told = slots[TENTHS if self._is_fine(held) else 1]
        return QuietSeconds(slots, 1 - float(told.chosen.mean()))

    def _quiet_slots(
        self, window: Window, disturbed: DisturbedTime, limit: int, parts: int
    ) -> QuietSlots:
        seconds = range(window.whole_seconds.stop)
        begins, ends = window.second_bounds(seconds, parts)
        following = disturbed.next_begin(begins)
        disturbed_there = disturbed.holds(begins) | (following < ends)
        windows = disturbed.without_recovery
        others_ran = windows.holds(begins) | (windows.next_begin(begins) < ends)
        longest = np.zeros(len(begins), dtype=np.int64)
        known = [interval for interval in self.intervals if interval.second in seconds]
        for kind in KINDS:
            rows = _rows(known, kind, seconds, parts)
            longest[rows.slots] = np.maximum(longest[rows.slots], _longest(rows.samples))
        reach = np.where(others_ran, begins + np.minimum(longest, limit), begins)
        reached = np.maximum.accumulate(np.append(begins[0], reach[:-1]))
        quiet = ~disturbed_there & (following >= ends + AHEAD_NS) & (reached <= begins)
        own = slice(window.whole_seconds.start * parts, window.whole_seconds.stop * parts)
        return QuietSlots(parts, quiet[own], (following - ends)[own])

    def all_durations(self, kind: str, seconds: range) -> HistogramSamples:
        """The same of these seconds after tick 0, whatever was measured in them."""
        found = [interval for interval in self.intervals if interval.second in seconds]
        return _by_second(found, kind, seconds)

    @staticmethod
    def _is_fine(held: Iterable[Interval]) -> bool:
        return any(interval.tenth is not None for interval in held)


@dataclass(frozen=True)
class _Rows:
    """Durations of the slots that have lines of one grain, a row each."""

    slots: Ints
    samples: HistogramSamples


def _strata(window: Window) -> Ints:
    """The part of a ramp that the middle of each of its seconds lies in."""
    begins, ends = window.second_bounds(window.whole_seconds)
    return window.strata(np.clip((begins + ends) // 2, window.begin_ns, window.end_ns - 1))


def _weights(window: Window, quiet: QuietSlots, strata: Ints) -> npt.NDArray[np.float64]:
    """By second of a ramp, the slots of its part over the quiet ones among them."""
    slots = np.repeat(strata, quiet.parts)
    lengths, known = (
        np.bincount(slots[chosen], minlength=window.number_of_parts).astype(np.float64)
        for chosen in (np.ones(len(slots), dtype=bool), quiet.chosen)
    )
    found: npt.NDArray[np.float64] = window.weights_of(lengths, known)[strata]
    return found


def _grain(interval: Interval) -> int:
    return 1 if interval.tenth is None else TENTHS


def _slot_of(interval: Interval, seconds: range) -> int:
    """A worker may date a line of a closed loop a second beside its step."""
    second = min(max(interval.second - seconds.start, 0), len(seconds) - 1)
    return second if interval.tenth is None else second * TENTHS + interval.tenth


def _longest(samples: HistogramSamples) -> Ints:
    """The longest duration of each block, ns; 0 of an empty one."""
    held = samples.counts > 0
    if not held.any():
        return np.zeros(samples.blocks, dtype=np.int64)
    longest: Ints = np.where(held, samples.highs, 0).max(axis=1)
    return longest


def _rows(intervals: Iterable[Interval], kind: str, seconds: range, parts: int) -> _Rows:
    """Durations by slot, of lines of one grain; no row of a slot without."""
    found = [
        (_slot_of(interval, seconds), histogram)
        for interval in intervals
        if _grain(interval) == parts and (histogram := interval.histograms.get(kind)) is not None
    ]
    slots = np.unique(np.array([slot for slot, _ in found], dtype=np.int64))
    if not found:
        none = np.empty(0, dtype=np.int64)
        return _Rows(slots, HistogramSamples(none, none, np.empty((0, 0), dtype=np.int64)))
    each = [histogram for _, histogram in found]
    lows, at = np.unique(np.concatenate([one.lows for one in each]), return_inverse=True)
    highs = np.zeros(len(lows), dtype=np.int64)
    np.maximum.at(highs, at, np.concatenate([one.highs for one in each]))
    rows = np.searchsorted(slots, [slot for slot, _ in found])
    counts = np.zeros((len(slots), len(lows)), dtype=np.int64)
    lengths = [len(one.counts) for one in each]
    np.add.at(counts, (np.repeat(rows, lengths), at), np.concatenate([one.counts for one in each]))
    return _Rows(slots, HistogramSamples(lows, highs, counts))


def _by_second(intervals: Sequence[Interval], kind: str, seconds: range) -> HistogramSamples:
    """Durations of all slots, a block for each of ``seconds``."""
    found = []
    for parts in GRAINS:
        rows = _rows(intervals, kind, seconds, parts)
        found.append(gathered(rows.samples, rows.slots // parts, len(seconds)))
    return added(*found)


def _quiet(rows: _Rows, quiet: QuietSlots, seconds: int) -> HistogramSamples:
    """Durations of quiet slots, a block a second."""
    chosen = quiet.chosen[rows.slots]
    cut_off = quiet_blocks(rows.samples, chosen, quiet.until_ns[rows.slots])
    return gathered(cut_off, rows.slots[chosen] // quiet.parts, seconds)


def by_operation(intervals: Iterable[Interval]) -> Mapping[str, OperationIntervals]:
    """Intervals by the operation they are of."""
    found: dict[str, OperationIntervals] = {}
    for interval in intervals:
        found.setdefault(interval.operation, OperationIntervals()).intervals.append(interval)
    return found
