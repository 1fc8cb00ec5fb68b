"""Time that lanes of a closed loop spend in no operation: from the end of one to the next start."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wirelab.cells.asked import ClosedSteps
from wirelab.cells.operation_times import by_stretch
from wirelab.cells.trial_files import Samples
from wirelab.cells.window import Window
from wirelab.gates.facts import BetweenFacts
from wirelab.model.parts import Operation
from wirelab.stats.disturbed import DisturbedTime

LEAST_GAPS = 10
"""Gaps of quiet time of which a mean says something."""

LONGEST = 0.2
"""Share of the gaps that is left out of a mean, the longest ones: a collection of garbage, or a
processor that was taken away, is no habit. (Of 19 gaps of an honest client on a host that built
programs meanwhile, 17 took less than 0.25 ms and two took 8 and 16 ms.)
"""

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Gaps:
    """Times from ``since`` to ``until`` in which a lane, or a whole round, had nothing under way.

    ``are_waits``: lanes that work beside each other may have held each other up in them.
    """

    since: Ints
    until: Ints
    are_waits: bool

    @staticmethod
    def of(own: Samples) -> Gaps:
        """The gaps between the operations of one stretch of time."""
        order = np.lexsort((own.start_ns, own.lane))
        lanes, start, end = own.lane[order], own.start_ns[order], own.end_ns[order]
        bounds = np.flatnonzero(np.diff(lanes)) + 1
        starts = np.split(start, bounds)
        ends = [np.maximum.accumulate(ends) for ends in np.split(end, bounds)]
        if len({len(one) for one in starts}) == 1:
            begun = np.min(starts, axis=0)[1:]
            done = np.max(ends, axis=0)[:-1]
            if np.all(begun >= done):
                return Gaps(done, begun, are_waits=False)
        since = np.concatenate([one[:-1] for one in ends])
        until = np.concatenate([one[1:] for one in starts])
        return Gaps(since, np.maximum(since, until), are_waits=True)

    def lengths(self, disturbed: DisturbedTime) -> Ints:
        """Lengths of those that are all of quiet time."""
        quiet = ~disturbed.holds(self.since) & (disturbed.next_begin(self.since) >= self.until)
        found: Ints = (self.until - self.since)[quiet]
        return found


def between_operations(
    samples: Samples,
    operations: Mapping[str, Operation],
    window: Window,
    disturbed: DisturbedTime,
) -> BetweenFacts | None:
    """Time between the operations of a closed loop; None of another load, of too few of them, and
    where operations bring something to others: those are handed over, and take others' turns.

    Where all lanes have ended before any of them goes on, they go in rounds (one lane alone always
    does), and a gap is of the round: from its last end, when the next one could have begun, to the
    first start in that. The mean tells of work that is done now and then as well. Lanes that go on
    by themselves hold each other up at random: there it is the median. Answers that were asked for
    are given in gaps; their time is taken off.
    """
    if not isinstance(window.asked, ClosedSteps) or any(
        one.record != "samples" or one.due == "step" for one in operations.values()
    ):
        return None
    codes = [one.code for one in operations.values() if one.due == "tick"]
    chosen = samples.where(np.isin(samples.op, codes))
    parts = by_stretch(chosen, window)
    gaps = [Gaps.of(own) for own in parts]
    lengths = [one.lengths(disturbed) for one in gaps]
    count = sum(map(len, lengths))
    if count < LEAST_GAPS:
        return None
    every = np.sort(np.concatenate(lengths))
    if any(one.are_waits for one in gaps):
        between = float(np.median(every))
    else:
        usual = every[: count - math.ceil(LONGEST * count)]
        given = window.paused_ns * window.asked.lanes
        between = max(0.0, (int(usual.sum()) - given) / len(usual))
    done = np.concatenate([own.end_ns - own.start_ns for own in parts])
    sizes = np.concatenate([own.size for own in parts])
    return BetweenFacts(
        between_ms=between / 1e6,
        operation_ms=float(np.median(done)) / 1e6,
        payload=float(np.mean(sizes)),
        in_rounds=not any(one.are_waits for one in gaps),
    )
