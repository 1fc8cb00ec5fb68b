"""A host that is disturbed in windows, simulated: work goes on three times as slowly in them.

What an operation would have taken is known, so that a rule for what was disturbed can be held to
it. Times are whole ns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wirelab.stats.disturbed import (
    DisturbedTime,
    QuietOperations,
    disturbed_time,
    quiet_operations,
)

MS = 1_000_000
SECOND = 1_000 * MS
PERIOD = 100 * MS
LIMIT = 30 * SECOND
SLOWER = 3.0

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def windows(random: np.random.Generator, until: int, length: int, duty: float) -> Ints:
    """Windows of a length that take this share of the time, at random times, not overlapping."""
    mean_gap = length * (1 - duty) / duty
    gaps = random.exponential(mean_gap, int(2 * until / (length + mean_gap)) + 10)
    begins = np.cumsum(gaps + length).astype(np.int64) - length
    begins = begins[begins + length < until]
    return np.column_stack([begins, begins + length])


@dataclass(frozen=True)
class Load:
    """Operations by intended time, with the time each would have taken on a quiet host."""

    intended: Ints
    undisturbed: Ints
    ended_at: Ints

    def measured(self, found: Ints) -> tuple[DisturbedTime, QuietOperations]:
        """The operations that have a latency beside these windows."""
        disturbed = disturbed_time(found, self.intended, self.ended_at, period=PERIOD, limit=LIMIT)
        return disturbed, quiet_operations(disturbed, self.intended, self.ended_at)


def independent(intended: Ints, work: Floats, found: Ints) -> Load:
    """Operations none of which waits for another."""
    progress = Progress(found)
    ended = progress.time_of(progress.at(intended) + work)
    return Load(intended, work.astype(np.int64), ended.astype(np.int64))


def queued(intended: Ints, work: Floats, found: Ints) -> Load:
    """Operations of one server, first in, first out."""
    progress = Progress(found)
    ended = progress.time_of(_served(progress.at(intended), work))
    quiet = _served(intended.astype(np.float64), work)
    return Load(intended, (quiet - intended).astype(np.int64), ended.astype(np.int64))


def queued_by_connection(intended: Ints, work: Floats, found: Ints) -> Load:
    """Operations of many connections, a row each, of which every one does one at a time."""
    progress = Progress(found)
    ended = progress.time_of(_served(progress.at(intended), work)).ravel()
    undisturbed = (_served(intended.astype(np.float64), work) - intended).ravel()
    order = np.argsort(intended, axis=None, kind="stable")
    return Load(
        intended.ravel()[order],
        undisturbed[order].astype(np.int64),
        ended[order].astype(np.int64),
    )


def _served(arrivals: Floats, work: Floats) -> Floats:
    """Ends of all: work begins as it arrives, or as the one before is done (Lindley)."""
    done = np.cumsum(work, axis=-1)
    return np.maximum.accumulate(arrivals - (done - work), axis=-1) + done


class Progress:
    """Work that can be done until a time: as much as time passes, less in windows."""

    def __init__(self, found: Ints) -> None:
        self._times = np.concatenate(([0], found.ravel(), [found.max(initial=0) + 10**15]))
        rates = np.ones(len(self._times) - 1)
        rates[1::2] = 1 / SLOWER
        self._work = np.concatenate(([0.0], np.cumsum(np.diff(self._times) * rates)))

    def at(self, times: Ints) -> Floats:
        return np.interp(times, self._times, self._work)

    def time_of(self, work: Floats) -> Floats:
        return np.interp(work, self._work, self._times)
