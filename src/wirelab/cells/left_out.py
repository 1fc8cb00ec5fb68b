"""Ticks at which an operation was due and of which no record tells: judged by ``left-out``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from wirelab.cells.asked import Ticks
from wirelab.cells.trial_files import Samples
from wirelab.cells.window import Window
from wirelab.model.parts import Operation

Ints = npt.NDArray[np.int64]


def left_out(samples: Samples, operation: Operation, window: Window) -> int:
    """Count due ticks of the window without a record, while every lane was at work.

    A lane that began late had to connect, and one that ended early was stopped or could go on no
    more: what lies between the first and the last record of each was performed.
    """
    asked = window.asked
    if operation.due != "tick" or not isinstance(asked, Ticks) or not len(samples):
        return 0
    lanes, at = np.unique(samples.lane, return_inverse=True)
    if len(lanes) < asked.schedule.lanes_at(asked.begin):
        return 0
    begins = np.full(len(lanes), np.iinfo(np.int64).max)
    ends = np.zeros(len(lanes), dtype=np.int64)
    np.minimum.at(begins, at, samples.intended_ns)
    np.maximum.at(ends, at, samples.intended_ns)
    return _without_record(samples.intended_ns, window.due_ns(operation), begins.max(), ends.min())


def _without_record(recorded: Ints, due: Ints | None, begin_ns: int, end_ns: int) -> int:
    if due is None:
        return 0
    within = due[(due > begin_ns) & (due < end_ns)]
    times, owed = np.unique(within, return_counts=True)
    ordered = np.sort(recorded)
    known = np.searchsorted(ordered, times, "right") - np.searchsorted(ordered, times, "left")
    return int(np.maximum(owed - known, 0).sum())
