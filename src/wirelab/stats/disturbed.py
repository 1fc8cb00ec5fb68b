"""Operations beside windows of time in which something else disturbed the host.

The rule that flatters nobody (simulated; see the tests):

- An operation *intended* in a disturbed stretch has no latency.
- One intended in quiet time and unfinished where a stretch begins is cut off (right-censored)
  there. To leave it out would leave out the long ones, which meet a window more often.
- A stretch outlasts its window: a queue that has formed is no merit and no fault of anybody.
  Quiet time resumes at the first instant after the window and one period of the monitor at which
  no more operations are outstanding than there may be without windows: the longest queue after a
  window is to be no longer than the longest of so many usual ones may be, the second longest than
  the second longest, and so on. *May be* is a bound that the queue of a rank keeps in four cases of
  five by the chance of both samples (ranks of uniform numbers are beta distributed): a shorter one
  does not show that a window did anything. A rule that waits for a short queue each time would
  begin quiet time with short queues alone; one that waits for the usual number of each rank does so
  wherever it is exceeded by chance (beside windows that did nothing at all, p95 came out 3 % too
  low of a queue at 47 %, and 10 % of one at 67 %). Usual are queues in time that has seen no window
  for as long as the longest quarter of the times between windows; before that, they may hold what a
  window left. An
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
from wirelab.stats.queues import OutstandingOperations

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_NO_TIMES = np.empty(0, dtype=np.int64)


@dataclass(frozen=True)
class TakenTime:
    """Processor time that others took in each window: ``taken[i]`` from ``begins[i]`` to
    ``ends[i]``, by when it was over for certain."""

    begins: Ints
    ends: Ints
    taken: Ints

    def between(self, begin: int, end: int) -> int:
        """The most that others can have taken between two instants: all of each window that
        touches it.
        """
        return int(self.taken[(self.begins < end) & (self.ends > begin)].sum())


@dataclass(frozen=True)
class DisturbedTime:
    """Stretches of disturbed time, ascending and apart: ``begins[i]`` to ``ends[i]``."""

    begins: Ints
    ends: Ints
    recoveries: Ints = field(default_factory=lambda: _NO_TIMES)
    """Time from the end of each window under the load until quiet time resumed."""
    window_ends: Ints = field(default_factory=lambda: _NO_TIMES)
    """End of the last window in each stretch; empty where nobody knows it."""
    taken: TakenTime | None = None
    """None: nobody knows it."""

    def __bool__(self) -> bool:
        """True where anything is disturbed."""
        return len(self.begins) > 0

    def quiet_ns(self, begin: int, end: int) -> int:
        """Quiet time between two instants."""
        inside = np.clip(self.ends, begin, end) - np.clip(self.begins, begin, end)
        return max(0, end - begin) - int(inside.sum())

    def touches(self, begin: int, end: int) -> bool:
        """True where any of the time between two instants is disturbed."""
        return bool(self._touching(begin, end).any())

    def _touching(self, begin: int, end: int) -> Flags:
        touching: Flags = (self.begins < end) & (self.ends > begin)
        return touching

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
        chosen = self._touching(begin, end)
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
    taken: Ints | None = None,
) -> DisturbedTime:
    """The stretches around windows, rows of begin and end in any order; windows that overlap or
    touch are one.

    ``intended`` is ascending; ``ended_at`` is the end of each operation, of one that never ended
    any time beyond its ``limit``. ``period`` is the monitor's: an end is known no better.
    ``in_lanes``: each begins when the one before on its lane has ended, as in a closed loop.
    ``loaded``: begin and end of the time whose load is asked about; None: from the first operation
    to the last. ``taken``: the processor time that others took in each window.
    """
    if np.any(np.diff(intended) < 0):
        raise ValueError("operations are to be in the order of their intended times")
    windows = windows.reshape(-1, 2)
    ordered = windows[np.argsort(windows[:, 0], kind="stable")]
    begins, window_ends = _joined(ordered[:, 0], ordered[:, 1])
    queue = OutstandingOperations(intended, np.minimum(ended_at, intended + limit))
    earliest = window_ends + period
    first, last = loaded or _first_and_last(intended)
    inside = (begins > first) & (begins <= last)
    if not len(intended):
        resumed, inside = earliest, np.zeros(len(begins), dtype=np.bool_)
    elif in_lanes:
        resumed = np.maximum(earliest, queue.last_end_of_those_before(window_ends))
    else:
        rested = begins - np.append(first, window_ends)[: len(begins)]
        usual = queue.usual(begins[inside], rested[inside])
        resumed = queue.as_short_as(usual, earliest, inside)
    stretches = _joined(begins, resumed)
    recoveries = (resumed - window_ends)[inside]
    return DisturbedTime(
        *stretches,
        recoveries,
        _last_before(stretches[1], window_ends),
        None if taken is None else TakenTime(windows[:, 0], windows[:, 1] + period, taken),
    )


def quiet_operations(disturbed: DisturbedTime, intended: Ints, ended_at: Ints) -> QuietOperations:
    """The operations that have a latency, and where they were cut off."""
    chosen = ~disturbed.holds(intended)
    since, until = intended[chosen], ended_at[chosen]
    cut_at = disturbed.next_begin(since)
    return QuietOperations(chosen, np.minimum(until, cut_at) - since, until <= cut_at)


def _first_and_last(times: Ints) -> Span:
    return (int(times[0]), int(times[-1])) if len(times) else (0, 0)


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
