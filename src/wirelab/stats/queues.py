"""Queues of a load: how many operations are outstanding over time, and how many usually are.

All times are in ns of one clock.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_RESTED = 0.75
"""Share of the windows that begin too soon after another one to say what queues are usual."""

_INSTANTS = 32
"""Instants of rested time before a window whose queues are usual ones."""

_MAY_BE = 0.8
"""Probability that the queue of a rank is within its bound where no window did anything to it."""

_LOOK_AHEAD = 64
"""Ends that are looked at first for one after which few are outstanding; most are among them."""


class UsualQueues(NamedTuple):
    """Ascending numbers of operations that are usually outstanding, and of how many stretches of
    time they are: numbers of one stretch resemble each other."""

    numbers: Ints
    stretches: int

    def limits(self, count: int) -> Ints:
        """The most that may be outstanding at each rank of ``count`` instants, ascending.

        Nowhere less than the median: who waits for fewer may wait for as few as there were while
        the load began.
        """
        # The chance of two samples is that of one of so many.
        both = count * self.stretches / (count + self.stretches)
        ranks = np.arange(1, count + 1) * (both + 1) / (count + 1)
        shares = scipy.special.betaincinv(ranks, both + 1 - ranks, _MAY_BE)
        at = np.minimum((shares * len(self.numbers)).astype(int), len(self.numbers) - 1)
        found: Ints = np.maximum(self.numbers[at], self.median)
        return found

    @property
    def median(self) -> int:
        """The number at half of the ranks."""
        return int(self.numbers[(len(self.numbers) - 1) // 2])


class OutstandingOperations:
    """Number of outstanding operations over time; their intended times ascend."""

    def __init__(self, intended: Ints, ended_at: Ints) -> None:
        self._intended = intended
        self._latest = np.append(np.iinfo(np.int64).min, np.maximum.accumulate(ended_at))
        self._ends = np.sort(ended_at)

    def last_end_of_those_before(self, times: Ints) -> Ints:
        """Times at which all that was intended before each of these instants had ended."""
        found: Ints = self._latest[np.searchsorted(self._intended, times)]
        return found

    def usual(self, begins: Ints, rested: Ints) -> UsualQueues:
        """Queues in rested time: until the windows that begin at these times, ``rested`` after the
        window before, and for as long as the longest quarter of them are rested; where there is no
        window, as the operations begin.
        """
        if not len(begins):
            return UsualQueues(np.sort(self._outstanding(self._intended - 1)), len(self._intended))
        least = np.quantile(rested, _RESTED, method="lower")
        further, chosen = rested - least, rested >= least
        back = np.arange(_INSTANTS)[:, np.newaxis] / _INSTANTS
        times = (begins[chosen] - further[chosen] * back).astype(np.int64)
        numbers = self._outstanding(times.ravel() - 1)
        return UsualQueues(np.sort(numbers), int(np.count_nonzero(chosen)))

    def as_short_as(self, usual: UsualQueues, times: Ints, ranked: Flags) -> Ints:
        """The first instant from each of these on at which no more are outstanding than usually may
        be: of those ``ranked`` by how many are, as many as at the same rank of so many; of the
        others, that are not under the load, as many as at half of the ranks.
        """
        now = self._outstanding(times)
        limits = np.full(len(times), usual.median)
        order = np.flatnonzero(ranked)[np.argsort(now[ranked], kind="stable")]
        limits[order] = usual.limits(len(order))
        long = now > limits
        return np.where(long, self._first_at_most(limits, times, long), times)

    def _first_at_most(self, limits: Ints, times: Ints, of: Flags) -> Ints:
        """The first end after each of some instants after which no more than its limit are."""
        found = times.copy()
        after = np.searchsorted(self._intended, self._ends, side="right")
        after -= np.arange(1, len(self._ends) + 1)
        following = np.searchsorted(self._ends, times, side="right")
        for at in np.flatnonzero(of):
            begin, step = int(following[at]), _LOOK_AHEAD
            short = np.flatnonzero(after[begin : begin + step] <= limits[at])
            while not len(short) and begin + step < len(after):
                begin, step = begin + step, 4 * step
                short = np.flatnonzero(after[begin : begin + step] <= limits[at])
            # After the last end nothing is outstanding.
            found[at] = self._ends[begin + short[0] if len(short) else -1]
        return found

    def _outstanding(self, times: Ints) -> Ints:
        begun = np.searchsorted(self._intended, times, side="right")
        ended: Ints = np.searchsorted(self._ends, times, side="right")
        return begun - ended
