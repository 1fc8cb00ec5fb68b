"""Operations divided at the wire: caller to wire, wire to wire, wire to caller.

The parts of an operation add up to its service time. Percentiles of parts do not: those of a chart
are made of the operations around a percentile of the service time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wirelab.cells.window import Window
from wirelab.model.result import Split
from wirelab.stats import percentiles, support
from wirelab.stats.blocks import TimedSamples
from wirelab.stats.disturbed import DisturbedTime, quiet_operations

Ints = npt.NDArray[np.int64]

PARTS = ("before", "server", "after")

_QUICKEST = 10
"""Percentile of the time outside of the wire that the caller takes when it waits for nothing."""

_FEWEST = 50
"""Operations of which a tenth is more than chance."""

_AROUND = 2.5
"""Percentage points to either side of a percentile; in a tail half of what is beyond it."""


@dataclass(frozen=True)
class WireTimes:
    """Good operations of one kind in the window of a trial that were seen on the wire, by intended
    time."""

    intended_ns: Ints
    bounds: tuple[Ints, Ints, Ints, Ints]
    """Start, departure of the request, arrival of the whole answer, end."""

    @staticmethod
    def of(intended: Ints, start: Ints, departed: Ints, arrived: Ints, end: Ints) -> WireTimes:
        """Put on the operation's bounds what clocks that are read one after the other put outside
        of it.
        """
        left = np.clip(departed, start, end)
        return WireTimes(intended, (start, left, np.clip(arrived, left, end), end))

    def parts(self, window: Window, disturbed: DisturbedTime) -> dict[str, TimedSamples]:
        """Each part in the window's blocks; cut off where a disturbed stretch begins, left out
        where it would have begun later."""
        quiet = quiet_operations(disturbed, self.intended_ns, self.bounds[-1])
        intended = self.intended_ns[quiet.chosen]
        until = intended + quiet.durations
        bounds = [bound[quiet.chosen] for bound in self.bounds]
        found = {}
        for name, begin, end in zip(PARTS, bounds, bounds[1:], strict=False):
            begun = begin <= until
            values = (np.minimum(end, until) - begin)[begun]
            ended = (end <= until)[begun] if disturbed else None
            found[name] = window.cut(values, intended[begun], disturbed, ended)
        return found

    def held_up(self, disturbed: DisturbedTime, *, waits_for_answers: bool) -> float | None:
        """Share of the operations' time by which their caller held them up, outside of the wire:
        beyond what its quickest tenth takes there. What is sent late counts where no lane
        ``waits_for_answers``. None of too few undisturbed operations.
        """
        quiet = quiet_operations(disturbed, self.intended_ns, self.bounds[-1])
        chosen = np.flatnonzero(quiet.chosen)[quiet.ended]
        if len(chosen) < _FEWEST:
            return None
        start, departed, arrived, end = (bound[chosen] for bound in self.bounds)
        begun = start if waits_for_answers else self.intended_ns[chosen]
        outside = (departed - begun) + (end - arrived)
        own = float(outside.mean() - np.percentile(outside, _QUICKEST))
        return max(0.0, own) / float((end - begun).mean())

    def whole(self, disturbed: DisturbedTime) -> Ints:
        """The parts of those that nothing disturbed, a row each."""
        quiet = quiet_operations(disturbed, self.intended_ns, self.bounds[-1])
        undisturbed = np.flatnonzero(quiet.chosen)[quiet.ended]
        return np.diff([bound[undisturbed] for bound in self.bounds], axis=0)


NO_TIMES = WireTimes.of(*(np.empty(0, dtype=np.int64) for _ in range(5)))


def split(trials: Sequence[Ints]) -> Split | None:
    """Divide the service time at its percentiles, as deep as so many support; None where they
    support none.
    """
    parts = np.concatenate(trials, axis=1) if trials else np.empty((len(PARTS), 0))
    count = parts.shape[1]
    ordered = parts[:, np.argsort(parts.sum(axis=0), kind="stable")] / 1e6
    levels = [p for p in percentiles.PERCENTILES if count >= support.needed_samples(p)]
    if not levels:
        return None
    around = [_around(ordered, level) for level in levels]
    made: Mapping[str, list[float]] = {
        name: [float(f"{means[place]:.5g}") for means in around] for place, name in enumerate(PARTS)
    }
    return Split(percentiles=levels, **made)


def _around(ordered: npt.NDArray[np.float64], level: float) -> npt.NDArray[np.float64]:
    """The mean of each part over the operations around a percentile."""
    count = ordered.shape[1]
    width = min(_AROUND, (100 - level) / 2)
    first = int(count * (level - width) / 100)
    last = max(first + 1, int(count * (level + width) / 100))
    means: npt.NDArray[np.float64] = ordered[:, first:last].mean(axis=1)
    return means
