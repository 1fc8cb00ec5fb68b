"""The samples of one trial, turned into durations by operation.

service time   end - start       what the library took
response time  end - intended    what the caller waited, the lateness of the start included
drift          start - intended  of the first operation of a tick: how late the tick was

A closed loop has the first of them alone: nothing in it is due at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from wirelab.cells import statuses
from wirelab.cells.trial_files import Samples
from wirelab.cells.window import Window
from wirelab.stats import percentiles
from wirelab.stats.blocks import TimedSamples
from wirelab.stats.disturbed import UNDISTURBED, DisturbedTime, quiet_operations
from wirelab.stats.histograms import HistogramSamples, bucket_of


@dataclass(frozen=True)
class OperationDurations:
    """Durations of the successful operations of one kind, in ns, by intended time.

    ``ended`` is false where they were cut off; None: none was.
    """

    intended_ns: npt.NDArray[np.int64]
    service: npt.NDArray[np.int64]
    response: npt.NDArray[np.int64]
    ended: npt.NDArray[np.bool_] | None = None

    @staticmethod
    def of(samples: Samples) -> OperationDurations:
        """Durations of the successful ones of ``samples``, which are in order of intended time."""
        ok = samples.where(samples.status == statuses.OK)
        return OperationDurations(
            ok.intended_ns, ok.end_ns - ok.start_ns, ok.end_ns - ok.intended_ns
        )

    @staticmethod
    def quiet(samples: Samples, disturbed: DisturbedTime) -> OperationDurations:
        """Durations of those of ``samples`` intended in quiet time.

        Who was under way where a disturbed stretch begins is cut off there, whatever became of it:
        nobody can tell what would have. Where it had not even started, its service time is 0.
        """
        if not disturbed:
            return OperationDurations.of(samples)
        found = quiet_operations(disturbed, samples.intended_ns, samples.end_ns)
        quiet = samples.where(found.chosen)
        known = ~found.ended | (quiet.status == statuses.OK)
        quiet, response = quiet.where(known), found.durations[known]
        service = np.maximum(quiet.intended_ns + response - quiet.start_ns, 0)
        return OperationDurations(quiet.intended_ns, service, response, found.ended[known])

    def within(self, window: Window) -> OperationDurations:
        """The durations intended within the window (views, no copies, where it is one stretch)."""
        chosen = window.inside(self.intended_ns)
        return OperationDurations(
            self.intended_ns[chosen],
            self.service[chosen],
            self.response[chosen],
            None if self.ended is None else self.ended[chosen],
        )

    def cut(
        self, window: Window, disturbed: DisturbedTime = UNDISTURBED
    ) -> tuple[TimedSamples, TimedSamples]:
        """Service and response times in the window's blocks, which hold quiet time alone."""
        service = window.cut(self.service, self.intended_ns, disturbed, self.ended)
        return service, replace(service, values=self.response)


def in_order(samples: Samples) -> Samples:
    """Samples by intended time; workers write them in the order of completion.

    Those of one moment are put in the order of their lanes: by completion the slow ones would
    come last, and look as if each told of the one before.
    """
    steps = np.diff(samples.intended_ns)
    if np.all(steps >= 0) and np.all((steps > 0) | (samples.lane[1:] >= samples.lane[:-1])):
        return samples
    return samples.where(np.lexsort((samples.lane, samples.intended_ns)))


def within(samples: Samples, window: Window) -> Samples:
    """Samples intended within the window; they must be in order."""
    return samples.where(window.inside(samples.intended_ns))


def second_figures(blocks: TimedSamples) -> npt.NDArray[np.float64]:
    """p50, p95 and maximum of each block in ms, shape (blocks, 3); nan where it is empty."""
    figures = np.full((blocks.blocks, 3), np.nan)
    for number, (begin, end) in enumerate(pairwise(blocks.bounds)):
        if end > begin:
            ordered = np.sort(blocks.values[begin:end])
            figures[number] = (
                percentiles.percentile(ordered, 50),
                percentiles.percentile(ordered, 95),
                ordered[-1],
            )
    return figures / 1e6


def block_figures(blocks: HistogramSamples) -> npt.NDArray[np.float64]:
    """The same of durations in histograms."""
    figures = np.full((blocks.blocks, 3), np.nan)
    for number, counts in enumerate(blocks.counts):
        if counts.any():
            at = [bucket_of(counts, level) for level in (50, 95, 100)]
            figures[number] = blocks.highs[at]
    return figures / 1e6


def tick_drift(
    samples: Samples, window: Window, disturbed: DisturbedTime = UNDISTURBED
) -> TimedSamples:
    """First start of each quiet tick of the window minus its intended time, of all operations."""
    inside = within(samples, window)
    ticks, first = np.unique(inside.intended_ns, return_index=True)
    starts = np.minimum.reduceat(inside.start_ns, first) if len(first) else inside.start_ns
    if not disturbed:
        return window.cut(starts - ticks, ticks)
    found = quiet_operations(disturbed, ticks, starts)
    return window.cut(found.durations, ticks[found.chosen], disturbed, found.ended)
