"""Processor time of a paced client beside the time in which its operations were under way."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from wirelab.cells.resources import Rows
from wirelab.cells.trial_files import Samples
from wirelab.cells.window import Window
from wirelab.gates.facts import BusyBlocks
from wirelab.model.span import Span

LEAST_BLOCKS = 20
"""Blocks of which a median says something."""

Ints = npt.NDArray[np.int64]


def busy_blocks(
    samples: Samples,
    pauses: Sequence[Span],
    rows: Rows,
    window: Window,
    period_ns: int,
) -> BusyBlocks | None:
    """Processor time between looks of the monitor, and how much of that time operations or answers
    were under way; None of too little time. A block is no shorter than a period, so that each has
    what is done at a tick.
    """
    at = rows["monotonic_ns"].astype(np.int64)
    inside = np.flatnonzero(
        (at >= window.begin_ns) & (at <= window.end_ns) & (rows["processes"] > 0)
    )
    chosen = _apart(at, inside, period_ns)
    if len(chosen) <= LEAST_BLOCKS:
        return None
    edges = at[chosen]
    took = np.diff(edges)
    begun = np.concatenate([samples.start_ns, np.array([one for one, _ in pauses], np.int64)])
    ended = np.concatenate([samples.end_ns, np.array([one for _, one in pauses], np.int64)])
    return BusyBlocks(
        cores=np.diff(rows["cpu_ns"].astype(np.int64)[chosen]) / took,
        under_way=np.diff(_covered(begun, ended, edges)) / took,
    )


def _apart(at: Ints, inside: Ints, period_ns: int) -> Ints:
    """Places of looks that are a period apart at least, but for what looks come too early."""
    least_ns = 0.9 * period_ns
    chosen: list[int] = []
    for place in inside.tolist():
        if not chosen or at[place] - at[chosen[-1]] >= least_ns:
            chosen.append(place)
    return np.array(chosen, dtype=np.int64)


def _covered(begun: Ints, ended: Ints, moments: Ints) -> npt.NDArray[np.float64]:
    """Time before each moment in which anything was under way."""
    order = np.argsort(begun, kind="stable")
    begun, ended = begun[order], np.maximum.accumulate(ended[order])
    first = np.append(True, begun[1:] > ended[:-1])
    starts, ends = begun[first], ended[np.append(np.flatnonzero(first)[1:] - 1, len(ended) - 1)]
    before = np.append(0, np.cumsum(ends - starts))
    origin = starts[0]
    points = np.stack([starts - origin, ends - origin], axis=1).ravel()
    values = np.stack([before[:-1], before[1:]], axis=1).ravel()
    covered: npt.NDArray[np.float64] = np.interp(moments - origin, points, values)
    return covered
