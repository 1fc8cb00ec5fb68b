"""Rates of a closed loop beside disturbed time, and the time that its work would have taken.

Ends counted in quiet time, over its length, would not do: quiet time resumes where an operation
ends and stops where one is cut off, so that long ones are counted too often (simulated: 55 % too
many of 400 ms beside windows of 100 ms). By Little's law a rate is the mean number of lanes at
work, divided by the mean time in which a lane comes round. That time is from one begin to the
next, with what a lane waits for others in between; it is cut off by windows like any duration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wirelab.model.span import Span
from wirelab.stats.disturbed import DisturbedTime, quiet_operations
from wirelab.stats.survival import Distribution

Ints = npt.NDArray[np.int64]

KNOWN = 0.01
"""Most by which the unknown part of the longest cycles may move a mean that is still told."""


@dataclass(frozen=True)
class QuietRate:
    """A rate of quiet time.

    ``at_least``: cycles that were cut off may have been so long, and as short, that the mean is
    not known; then each counts for as long as it took beside the others.
    """

    per_second: float
    at_least: bool


@dataclass(frozen=True)
class Cycles:
    """Times that lanes took to come round, by begin: from an operation of a kind to the next one of
    its lane; the last one of a lane until it ended.
    """

    begins: Ints
    ends: Ints

    @staticmethod
    def of(start: Ints, end: Ints, lane: npt.NDArray[np.integer]) -> Cycles:
        """The cycles of operations of one kind in one stretch of time."""
        order = np.lexsort((start, lane))
        begins, ends, lanes = start[order], end[order].copy(), lane[order]
        follows = np.flatnonzero(lanes[1:] == lanes[:-1])
        ends[follows] = begins[follows + 1]
        return Cycles(begins, ends)

    def begun_in(self, begin: int, end: int) -> Cycles:
        """The cycles that began in a stretch of time."""
        chosen = (self.begins >= begin) & (self.begins < end)
        return Cycles(self.begins[chosen], self.ends[chosen])

    @staticmethod
    def joined(parts: Sequence[Cycles]) -> Cycles:
        """The cycles of several stretches."""
        none = np.empty(0, dtype=np.int64)
        begins = np.concatenate([none, *(part.begins for part in parts)])
        return Cycles(begins, np.concatenate([none, *(part.ends for part in parts)]))


def quiet_rate(disturbed: DisturbedTime, spans: Sequence[Span], cycles: Cycles) -> QuietRate | None:
    """Cycles a second of the quiet time of these spans, which hold all of them; None where none
    began in quiet time."""
    found = quiet_operations(disturbed, cycles.begins, cycles.ends)
    quiet_ns = sum(disturbed.quiet_ns(*span) for span in spans)
    if not len(found.durations) or quiet_ns == 0:
        return None
    since = int(cycles.begins.min())
    until = disturbed.quiet_since(since, cycles.ends)
    at_work = int((until - disturbed.quiet_since(since, cycles.begins)).sum()) / quiet_ns
    least = Distribution.of(found.durations, found.ended).mean
    # A window makes nothing shorter: as long as it took beside others is the most that it can be.
    whole = (cycles.ends - cycles.begins)[found.chosen]
    last = found.durations[found.ended].max(initial=-1)
    beyond = ~found.ended & (found.durations > last)
    most = Distribution.of(np.where(beyond, whole, found.durations), found.ended | beyond).mean
    known = most <= (1 + KNOWN) * least
    return QuietRate(at_work / (least if known else most) * 1e9, at_least=not known)


def rate_over_parts(
    disturbed: DisturbedTime, parts: Sequence[Span], cycles: Cycles
) -> QuietRate | None:
    """The rate over parts of unlike loads, each of which counts by its length and not by how quiet
    it was.

    A part in whose quiet time nothing began is stood for by the others; None where all are such.
    """
    rates = [
        (end - begin, rate)
        for begin, end in parts
        if (rate := quiet_rate(disturbed, [(begin, end)], cycles.begun_in(begin, end)))
    ]
    return _mean_rate(rates) if rates else None


def rate_over_steps(
    disturbed: DisturbedTime, steps: Sequence[Sequence[Span]], cycles: Cycles
) -> QuietRate | None:
    """The rate over steps of such parts; None where one of them has none: no other has its load."""
    rates = []
    for parts in steps:
        rate = rate_over_parts(disturbed, parts, cycles)
        if rate is None:
            return None
        rates.append((parts[-1][1] - parts[0][0], rate))
    return _mean_rate(rates)


def _mean_rate(rates: Sequence[tuple[int, QuietRate]]) -> QuietRate:
    """The mean over lengths of time."""
    length = sum(own for own, _ in rates)
    mean = sum(own * rate.per_second for own, rate in rates) / length
    return QuietRate(mean, at_least=any(rate.at_least for _, rate in rates))


@dataclass(frozen=True)
class QuietClock:
    """A clock that goes more slowly in disturbed time, by how much less work was done in it."""

    disturbed: DisturbedTime
    pace: float | None = None
    """Pace of disturbed time; None where nobody knows: what the clock measures is then the least.
    """

    @staticmethod
    def of(disturbed: DisturbedTime, span: Span, work: int, rate: QuietRate | None) -> QuietClock:
        """The clock of a step whose work is so many operations, at this rate in quiet time."""
        quiet = disturbed.quiet_ns(*span)
        rest = span[1] - span[0] - quiet
        if rate is None or rate.at_least or rest == 0:
            return QuietClock(disturbed)
        pace = (work / rate.per_second * 1e9 - quiet) / rest
        return QuietClock(disturbed, min(1.0, max(0.0, pace)))

    def between(self, begin: int, end: int) -> int:
        """Time on this clock from one instant to another, in ns."""
        quiet = self.disturbed.quiet_ns(begin, end)
        return quiet + round((self.pace or 0.0) * (end - begin - quiet))

    def knows(self, begin: int, end: int) -> bool:
        """Whether no more than that is known to have passed."""
        return self.pace is not None or not self.disturbed.touches(begin, end)
