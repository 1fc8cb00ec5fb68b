"""Steps in which nothing is repeated, beside disturbed time: each is taken whole, or not at all.

What is left of a burst when a part of it is cut out is no burst: who is served early took less time
than who is served last. Others who took so much processor time have made a step longer by no more
than that, since a processor that they took is given back. So a step counts, with all that others
did, where that was a small share of it, and is left out where it was more. Left out are steps that
a window met, which long ones do more often; the mean of the others is too low by cv^2 t / d, with
the length t of a step, its coefficient of variation, and the distance d of windows: 1 % for steps
of 100 ms that vary by 30 % beside a window a second (simulated; see the tests).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wirelab.model.span import Span
from wirelab.stats.disturbed import DisturbedTime

WHOLE = 0.1
"""Most of a time that others may have taken, where all of it counts as quiet."""


def taken_whole(disturbed: DisturbedTime, steps: Sequence[Span], ahead: int) -> DisturbedTime:
    """Disturbed time with each of these ascending ``steps`` wholly quiet or wholly disturbed: all
    are quiet where others took a small share of all of them together.

    What comes after a step within ``ahead`` ns is passed over: nothing of it is under way then.
    """
    length, taken = sum(end - begin for begin, end in steps), disturbed.taken
    together = taken is not None and sum(taken.between(*step) for step in steps) <= WHOLE * length
    rows = np.column_stack([disturbed.begins, disturbed.ends])
    for begin, end in steps:
        before, after = rows.copy(), rows.copy()
        before[:, 1] = np.minimum(before[:, 1], begin)
        after[:, 0] = np.maximum(after[:, 0], end + ahead)
        is_quiet = together or is_whole(disturbed, begin, end)
        step = np.array([] if is_quiet else [[begin, end]], dtype=np.int64).reshape(-1, 2)
        rows = np.concatenate([before, step, after])
        rows = rows[rows[:, 0] < rows[:, 1]]
    begins, ends = rows[:, 0], rows[:, 1]
    return DisturbedTime(begins, ends, disturbed.recoveries, ends, taken)


def is_whole(disturbed: DisturbedTime, begin: int, end: int) -> bool:
    """Whether others took no more than a small share of this time."""
    if not disturbed.touches(begin, end):
        return True
    taken = disturbed.taken
    return taken is not None and taken.between(begin, end) <= WHOLE * (end - begin)
