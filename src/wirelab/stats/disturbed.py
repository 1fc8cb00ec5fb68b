"""Operations beside windows of time in which something else disturbed the host.

The rule that flatters nobody (simulated; see the tests):

- An operation *intended* in a disturbed stretch has no latency.
- One intended in quiet time and unfinished where a stretch begins is cut off (right-censored)
  there. To leave it out would leave out the long ones, which meet a window more often.
- A stretch outlasts its window: a queue that has formed is no merit and no fault of anybody.
  Quiet time resumes at the first instant after the window and one period of the monitor at which
  nothing intended before the window's end is outstanding, and no more operations are than before
  a quarter of the windows: those that queued behind the last of the window's own are not quiet
  either. (Without this, p99 of a queue at 50 % comes out three times too high. To wait until
  nothing at all is outstanding would never end where many operations are always under way; and
  windows before the load began, or of a step with another one, say nothing of what is usual.) An
  operation counts as outstanding until its time limit at most, so that a lost one does not end
  the trial. In a closed loop no more can queue up than there are lanes: there quiet time resumes
  as soon as nothing begun before the window's end is outstanding. (To wait for few outstanding
  ones as well would begin quiet time where a loop with pauses is idle: a rate would come out 15 %
  too low.)

All times are in ns of one clock; a stretch includes its begin and not its end.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from wirelab.model.span import Span

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_NO_TIMES = np.empty(0, dtype=np.int64)

_USUAL = 0.25
"""Share of the windows that gives the usual one: some begin while the one before has left its
queue.
"""


@dataclass(frozen=True)
class DisturbedTime:
    """Stretches of disturbed time, ascending and apart: ``begins[i]`` to ``ends[i]``."""

    begins: Ints
    ends: Ints
    recoveries: Ints = field(default_factory=lambda: _NO_TIMES)
    """Time from the end of each window under the load until quiet time resumed."""
    window_ends: Ints = field(default_factory=lambda: _NO_TIMES)
    """End of the last window in each stretch; empty where nobody knows it."""

    def __bool__(self) -> bool:
        """True where anything is disturbed."""
        return len(self.begins) > 0

    def quiet_ns(self, begin: int, end: int) -> int:
        """Quiet time between two instants."""
        inside = np.clip(self.ends, begin, end) - np.clip(self.begins, begin, end)
        return max(0, end - begin) - int(inside.sum())

    def touches(self, begin: int, end: int) -> bool:
        """True where any of the time between two instants is disturbed."""
        return bool(np.any((self.begins < end) & (self.ends > begin)))

    def touched(self, at: Ints) -> Flags:
        """Mark the stretches between these ascending instants that hold disturbed time."""
        ended = np.searchsorted(self.ends, at[:-1], side="right")
        begun = np.searchsorted(self.begins, at[1:], side="left")
        return begun > ended

    def quiet_since(self, begin: int, times: Ints) -> Ints:
        """Quiet time between an instant and each of these later ones."""
        lengths = np.maximum(self.ends, begin) - np.maximum(self.begins, begin)
        number = np.searchsorted(self.begins, times, side="right")
        passed = np.append(0, np.cumsum(lengths))[number]
        last_end = np.append(np.iinfo(np.int64).min, self.ends)[number]
        to_come = np.maximum(last_end, times) - times
        quiet: Ints = times - begin - passed + to_come
        return quiet

    def within(self, begin: int, end: int) -> DisturbedTime:
        """The stretches that touch the time between two instants."""
        chosen = (self.begins < end) & (self.ends > begin)
        return DisturbedTime(self.begins[chosen], self.ends[chosen])

    @property
    def without_recovery(self) -> DisturbedTime:
        """The same stretches, each until the end of its last window."""
        known = len(self.window_ends) == len(self.begins)
        return DisturbedTime(self.begins, self.window_ends if known else self.ends)

    def holds(self, times: Ints) -> Flags:
        """Whether each of these instants is disturbed."""
        number = np.searchsorted(self.begins, times, side="right") - 1
        within: Flags = (number >= 0) & (times < self._padded(self.ends)[number])
        return within

    def next_begin(self, times: Ints) -> Ints:
        """Begin of the first stretch at or after each of these instants; the largest number where
        there is none."""
        found: Ints = self._padded(self.begins)[np.searchsorted(self.begins, times)]
        return found

    @staticmethod
    def _padded(times: Ints) -> Ints:
        return np.append(times, np.iinfo(np.int64).max)


@dataclass(frozen=True)
class QuietOperations:
    """Operations intended in quiet time: ``chosen`` are they among all; the rest have no latency.

    ``durations`` run from the intended time to the end, or to where they were cut off; ``ended``
    tells which.
    """

    chosen: Flags
    durations: Ints
    ended: Flags


UNDISTURBED = DisturbedTime(_NO_TIMES, _NO_TIMES)


def disturbed_time(
    windows: Ints,
    intended: Ints,
    ended_at: Ints,
    *,
    period: int,
    limit: int,
    in_lanes: bool = False,
    loaded: Span | None = None,
) -> DisturbedTime:
    """The stretches around windows, rows of begin and end in any order; windows that overlap or
    touch are one.

    ``intended`` is ascending; ``ended_at`` is the end of each operation, of one that never ended
    any time beyond its ``limit``. ``period`` is the monitor's: an end is known no better.
    ``in_lanes``: each begins when the one before on its lane has ended, as in a closed loop.
    ``loaded``: begin and end of the time whose load is asked about; None: from the first operation
    to the last.
    """
    if np.any(np.diff(intended) < 0):
        raise ValueError("operations are to be in the order of their intended times")
    ordered = windows.reshape(-1, 2)
    ordered = ordered[np.argsort(ordered[:, 0], kind="stable")]
    begins, window_ends = _joined(ordered[:, 0], ordered[:, 1])
    queue = _Queue(intended, np.minimum(ended_at, intended + limit))
    earliest = np.maximum(window_ends + period, queue.last_end_of_those_before(window_ends))
    if not len(intended):
        stretches = _joined(begins, earliest)
        return DisturbedTime(*stretches, window_ends=_last_before(stretches[1], window_ends))
    first, last = loaded or (int(intended[0]), int(intended[-1]))
    inside = (begins > first) & (begins <= last)
    resumed = earliest
    if not in_lanes:
        resumed = queue.as_short_as(queue.usual(begins[inside]), earliest)
    stretches = _joined(begins, resumed)
    recoveries = (resumed - window_ends)[inside]
    return DisturbedTime(*stretches, recoveries, _last_before(stretches[1], window_ends))


class _Queue:
    """Number of outstanding operations over time."""

    def __init__(self, intended: Ints, ended_at: Ints) -> None:
        self._intended = intended
        self._latest = np.append(np.iinfo(np.int64).min, np.maximum.accumulate(ended_at))
        self._ends = np.sort(ended_at)

    def last_end_of_those_before(self, times: Ints) -> Ints:
        """Times at which all that was intended before each of these instants had ended."""
        found: Ints = self._latest[np.searchsorted(self._intended, times)]
        return found

    def usual(self, begins: Ints) -> int:
        """As many as were outstanding, at most, just before a quarter of the windows that began
        under the load; where none did, before a quarter of the operations."""
        times = begins if len(begins) else self._intended
        return int(np.quantile(self._outstanding(times - 1), _USUAL, method="lower"))

    def as_short_as(self, limit: int, times: Ints) -> Ints:
        """The first instant from each of these on at which no more than ``limit`` are."""
        # It falls at ends alone; after the last one nothing is outstanding.
        after = self._outstanding(self._ends)
        short = np.where(after <= limit, np.arange(len(after)), len(after))
        following = np.append(np.minimum.accumulate(short[::-1])[::-1], len(after))
        at = following[np.searchsorted(self._ends, times)]
        later = np.append(self._ends, np.iinfo(np.int64).max)[at]
        return np.where(self._outstanding(times) <= limit, times, later)

    def _outstanding(self, times: Ints) -> Ints:
        begun = np.searchsorted(self._intended, times, side="right")
        ended: Ints = np.searchsorted(self._ends, times, side="right")
        return begun - ended


def quiet_operations(disturbed: DisturbedTime, intended: Ints, ended_at: Ints) -> QuietOperations:
    """The operations that have a latency, and where they were cut off."""
    chosen = ~disturbed.holds(intended)
    since, until = intended[chosen], ended_at[chosen]
    cut_at = disturbed.next_begin(since)
    return QuietOperations(chosen, np.minimum(until, cut_at) - since, until <= cut_at)


def _last_before(ends: Ints, window_ends: Ints) -> Ints:
    """The end of the last window before the end of each stretch."""
    found: Ints = window_ends[np.searchsorted(window_ends, ends, side="right") - 1]
    return found


def _joined(begins: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Stretches in order of their begins, those that overlap or touch made one."""
    if not len(begins):
        return begins, ends
    reach = np.maximum.accumulate(ends)
    first = np.concatenate(([True], begins[1:] > reach[:-1]))
    last = np.append(first[1:], True)
    return begins[first], reach[last]
