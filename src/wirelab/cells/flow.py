"""Rate, loss and traffic of each second of a trial, for charts: what was counted, whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from wirelab.cells.intervals import OperationIntervals
from wirelab.cells.operation_facts import undelivered
from wirelab.cells.operations import OperationDurations
from wirelab.cells.resources import Rows, second_growth
from wirelab.model.parts import Operation
from wirelab.stats.blocks import BLOCK_NS

RATE, LOST = "rate", "lost"
IN, OUT, LOOPBACK = "in", "out", "loopback"

COUNTED = {IN: "written", OUT: "wire"}
"""By way: the count of the interval file that is of the second in which bytes went through the
sockets.
"""

Floats = npt.NDArray[np.float64]
Edges = npt.NDArray[np.int64]


def sampled_rate(
    durations: OperationDurations, operation: Operation, edges: Edges
) -> dict[str, Floats]:
    """Items of successful operations a second, between consecutive edges."""
    done = np.diff(np.searchsorted(durations.intended_ns, edges))
    return {RATE: done * operation.items / _lengths(edges)}


def counted_rate(
    intervals: OperationIntervals, operation: Operation, edges: Edges
) -> dict[str, Floats]:
    """Items a second that came, and those that should have come and never did."""

    def count(name: str) -> Floats:
        return _counted([intervals], name, edges)

    return {
        RATE: count("received") * operation.items / _lengths(edges),
        LOST: undelivered(operation, count) * operation.items / _lengths(edges),
    }


def network_flow(
    recorded: Mapping[str, OperationIntervals], host: Rows | None, edges: Edges
) -> dict[str, Floats]:
    """MB a second into the server and out of it, as far as a generator counts them, and those of
    all packets on the loopback of the trial."""
    flow = {
        way: _counted(recorded.values(), name, edges) / 1e6 / _lengths(edges)
        for way, name in COUNTED.items()
        if any(name in one.counts for own in recorded.values() for one in own.intervals)
    }
    if host is not None and len(host["monotonic_ns"]) > 1:
        flow[LOOPBACK] = second_growth(host, "net_rx_bytes", edges) / 1e6
    return flow


def _counted(recorded: Iterable[OperationIntervals], name: str, edges: Edges) -> Floats:
    """Sums of a count between edges, which are whole seconds after the first one."""
    step, points = int(edges[1] - edges[0]) // BLOCK_NS, len(edges) - 1
    sums = np.zeros(points)
    for own in recorded:
        for interval in own.intervals:
            if interval.second < step * points:
                sums[interval.second // step] += interval.counts.get(name, 0)
    return sums


def _lengths(edges: Edges) -> Floats:
    """Seconds between consecutive edges."""
    lengths: Floats = np.diff(edges) / 1e9
    return lengths
