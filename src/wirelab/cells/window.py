"""The measured window of a trial: which times count, and how many operations they ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, assert_never

import numpy as np
import numpy.typing as npt

from wirelab.cells.asked import Asked, ClosedSteps, Ticks
from wirelab.model.parts import Operation
from wirelab.model.planned import PlannedClosed, PlannedLoops, PlannedSchedule, PlannedTrial
from wirelab.model.span import Span
from wirelab.model.trial import TrialRecord
from wirelab.samples.intervals import Interval
from wirelab.schedule import Schedule
from wirelab.stats.blocks import BLOCK_NS, TimedSamples
from wirelab.stats.disturbed import UNDISTURBED, DisturbedTime

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_PARTS_OF_A_STEP = 4
"""Parts of a step of a ramp, within each of which the load counts as the same. More of them take
clusters for the load: simulated with a memory of nine requests and parts of 100, 250 and 400, the
size was 1.6, 1.4 and 1.2 times what it should be; with fewer, the load looks like clusters."""

_LEAST_QUIET = 0.1
"""Share of a part of a ramp that has to be quiet for it to stand for itself: fewer operations would
weigh so much that one of them could be a percentile."""


@dataclass(frozen=True)
class Window:
    """The stretches of time whose operations count, and what is asked for in them.

    Of a schedule it is one stretch, the *scheduled* one: whatever the worker did, rates divide by
    its length. A closed loop has no schedule: there each step is a stretch, from where it began to
    where it ended, and rates divide by the time that it really took.
    """

    tick0_ns: int
    spans: tuple[Span, ...]
    asked: Asked
    joining: tuple[Span, ...] = ()
    """Stretches in which users join, when those are not within ``spans``."""
    joined: tuple[Span, ...] = ()
    """Stretches in which everybody of a closed loop's step has joined, in the steps before it as
    well.
    """
    paused_ns: int = 0
    """Time within ``spans`` in which lanes gave answers that they were asked for."""

    @staticmethod
    def of(planned: PlannedTrial, record: TrialRecord, step: str = "") -> Window:
        """The window of a trial that had a tick 0, or of one of its steps."""
        if record.tick0_ns is None:
            raise ValueError(f"{planned.id} never had a tick 0")
        match load := planned.load:
            case PlannedSchedule():
                return Window.of_ticks(record.tick0_ns, Ticks.of(load, step))
            case PlannedClosed():
                window = _of_closed_loop(load, record.tick0_ns, record.steps, step)
                paused_ns = sum(ns for name, ns in record.paused.items() if step in ("", name))
                return replace(window, paused_ns=paused_ns)
            case PlannedLoops():
                return Window.between(*(record.window_ns or (0, 1)))
        assert_never(load)

    @staticmethod
    def of_ticks(tick0_ns: int, ticks: Ticks) -> Window:
        """The scheduled window of these ticks."""
        period = ticks.schedule.period_ns
        begin, end = (tick0_ns + tick * period for tick in (ticks.begin, ticks.end))
        joins = () if ticks.joining is None else ((tick0_ns + ticks.joining * period, end),)
        return Window(tick0_ns, ((begin, end),), ticks, joins)

    @staticmethod
    def between(begin_ns: int, end_ns: int) -> Window:
        """One stretch of time in which nothing is asked for by the tick."""
        length = end_ns - begin_ns
        return Window(begin_ns, ((begin_ns, end_ns),), Ticks(Schedule(length, 1), 0, 1))

    def for_operation(self, operation: Operation) -> Window:
        """The window in which this operation counts: joining happens while others settle."""
        if operation.due == "join" and self.joining:
            return replace(self, spans=self.joining)
        return self

    @property
    def closed(self) -> bool:
        """Whether it is one of a closed loop."""
        return isinstance(self.asked, ClosedSteps)

    @property
    def is_ramp(self) -> bool:
        """Whether users come and go within it, so that no two seconds have the same load."""
        return isinstance(self.asked, ClosedSteps) and self.asked.has_time

    @property
    def bursts(self) -> list[Span]:
        """Steps of a closed loop in which each user does everything once: no part of one is like
        the rest of it."""
        if not isinstance(self.asked, ClosedSteps):
            return []
        steps = zip(self.asked.steps, self.spans, strict=True)
        return [span for step, span in steps if step.is_burst]

    @property
    def begin_ns(self) -> int:
        """Begin of the window; of ticks the intended time of the first one that counts."""
        return self.spans[0][0]

    @property
    def end_ns(self) -> int:
        """End of the window; of ticks the end of the last one's slot."""
        return self.spans[-1][1]

    @property
    def seconds(self) -> float:
        """Length of all stretches together."""
        return sum(end - begin for begin, end in self.spans) / 1e9

    @property
    def working_seconds(self) -> float:
        """The same without the time in which lanes gave answers."""
        return self.seconds - self.paused_ns / 1e9

    @property
    def blocks(self) -> int:
        """Number of one-second blocks, last incomplete ones included."""
        return len(self._block_begins)

    @property
    def _block_begins(self) -> Ints:
        return np.concatenate([np.arange(begin, end, BLOCK_NS) for begin, end in self.spans])

    @property
    def whole_seconds(self) -> range:
        """Seconds after tick 0 that it is made of: of ticks, which begin at whole ones, to the
        nearest; of a closed loop all that it touches."""
        begin, end = ((at - self.tick0_ns) / BLOCK_NS for at in (self.begin_ns, self.end_ns))
        if self.closed:
            return range(int(begin // 1), int(-(-end // 1)))
        return range(round(begin), max(round(end), round(begin) + 1))

    def second_bounds(self, seconds: range, parts: int = 1) -> tuple[Ints, Ints]:
        """Begins and ends of seconds after tick 0, or of so many ``parts`` of each; in a closed
        loop no more of them than lies in it."""
        length = BLOCK_NS // parts
        begins = self.tick0_ns + np.arange(seconds.start * parts, seconds.stop * parts) * length
        ends = begins + length
        if not self.closed:
            return begins, ends
        within = (ends > self.begin_ns) & (begins < self.end_ns)
        return (
            np.where(within, np.maximum(begins, self.begin_ns), begins),
            np.where(within, np.minimum(ends, self.end_ns), ends),
        )

    @property
    def histogram_seconds(self) -> float:
        """Length of what is recorded by the second (and in a closed loop by the step)."""
        return self.seconds if self.closed else float(len(self.whole_seconds))

    def holds(self, line: Interval) -> bool:
        """Whether a line of the interval file belongs to it: by its step, else by its second."""
        if isinstance(self.asked, ClosedSteps):
            return line.step in self.asked.names
        return line.second in self.whole_seconds

    def inside(self, at_ns: Ints) -> slice | Ints:
        """Select the ascending times within the window; one stretch gives a slice, which copies
        nothing.
        """
        bounds = [np.searchsorted(at_ns, span) for span in self.spans]
        if len(bounds) == 1:
            return slice(*(int(bound) for bound in bounds[0]))
        return np.concatenate([np.arange(begin, end) for begin, end in bounds])

    def cut(
        self,
        values: npt.NDArray[Any],
        at_ns: Ints,
        disturbed: DisturbedTime = UNDISTURBED,
        ended: npt.NDArray[np.bool_] | None = None,
    ) -> TimedSamples:
        """Values at ascending times, all inside, in blocks of a second (shorter at a stretch's
        end).

        Beside ``disturbed`` time all times are quiet, and the blocks are seconds of quiet time,
        laid end to end; ``ended`` is false of values that were cut off. Of a ramp each value has a
        weight, so that each part of it counts by its length and not by how quiet it was.
        """
        if not disturbed:
            begins = np.searchsorted(at_ns, self._block_begins)
            strata = self.strata(at_ns) if self.is_ramp else None
            return TimedSamples(values, np.append(begins, len(values)), strata=strata)
        since = self._quiet_since(at_ns, disturbed)
        blocks = max(1, -(-self.quiet_ns(disturbed) // BLOCK_NS))
        cut = TimedSamples.cut(values, since, blocks, ended)
        return self._weighed(cut, at_ns, disturbed) if self.is_ramp else cut

    def _weighed(self, cut: TimedSamples, at_ns: Ints, disturbed: DisturbedTime) -> TimedSamples:
        """Values of a ramp with the weights of their parts."""
        parts = [part for step in self.parts for part in step]
        lengths = np.array([end - begin for begin, end in parts], dtype=np.float64)
        quiet = np.array([disturbed.quiet_ns(*part) for part in parts], dtype=np.float64)
        weights, strata = self.weights_of(lengths, quiet), self.strata(at_ns)
        if not weights.any():
            return TimedSamples(cut.values[:0], np.zeros_like(cut.bounds))
        return replace(cut, strata=strata, weights=weights[strata])

    def weights_of(self, lengths: Floats, quiet: Floats) -> Floats:
        """The weight of each part of a ramp: its length over its quiet time.

        A step with a part that was hardly ever quiet counts as one part. Where a whole step has no
        quiet time, all weights are 0: the others say nothing of its load.
        """
        by_step = lengths.reshape(-1, _PARTS_OF_A_STEP), quiet.reshape(-1, _PARTS_OF_A_STEP)
        weights = []
        for whole, part in zip(*by_step, strict=True):
            if whole.any() and not part.any():
                return np.zeros(len(lengths))
            if np.any(part <= _LEAST_QUIET * whole):
                weights.append(np.full(len(whole), whole.sum() / max(part.sum(), 1.0)))
            else:
                weights.append(whole / part)
        return np.concatenate(weights)

    @property
    def number_of_parts(self) -> int:
        """Number of parts of a ramp, over all of its steps."""
        return len(self.spans) * _PARTS_OF_A_STEP

    @property
    def parts(self) -> list[list[Span]]:
        """By step of a ramp, the stretches within each of which the load counts as the same."""
        number = _PARTS_OF_A_STEP + 1
        edges = [np.linspace(*span, number, dtype=np.int64).tolist() for span in self.spans]
        return [[*pairwise(own)] for own in edges]

    def strata(self, at_ns: Ints) -> Ints:
        """The number of the part of a ramp that each of these instants, all inside, lies in."""
        begins = np.array([begin for step in self.parts for begin, _ in step], dtype=np.int64)
        return np.searchsorted(begins, at_ns, side="right") - 1

    def quiet_ns(self, disturbed: DisturbedTime) -> int:
        """Quiet time of all stretches together."""
        return sum(disturbed.quiet_ns(*span) for span in self.spans)

    def _quiet_since(self, at_ns: Ints, disturbed: DisturbedTime) -> Ints:
        """Quiet time before each of these instants, the stretches laid end to end."""
        found, before = np.zeros(len(at_ns), dtype=np.int64), 0
        for begin, end in self.spans:
            later = at_ns >= begin
            found[later] = before + disturbed.quiet_since(begin, at_ns[later])
            before += disturbed.quiet_ns(begin, end)
        return found

    def expected(self, operation: Operation) -> int:
        """Count how often an operation is due within the window."""
        return self.asked.expected(operation)

    def due_ns(self, operation: Operation) -> Ints | None:
        """Times at which an operation is due within it, unsorted; None where no tick says."""
        times = self.asked.times(operation)
        return None if times is None else times + self.tick0_ns

    def at_due_ticks(self, intended_ns: Ints, every: int, lanes: Ints | None = None) -> Any:
        """Mark the intended times that are ticks of the schedule and ask for the operation."""
        if lanes is None:
            lanes = np.zeros(len(intended_ns), dtype=np.int64)
        return self.asked.on_schedule(intended_ns - self.tick0_ns, lanes, every)


def _of_closed_loop(
    planned: PlannedClosed, tick0_ns: int, said: dict[str, Span], step: str
) -> Window:
    """The window by what the worker says; users join between the step before and their own."""
    steps = [one for one in planned.steps if one.name in said]
    chosen = [one for one in steps if step in ("", one.name)]
    begins = [said[one.name][0] for one in steps]
    before = [tick0_ns, *(said[one.name][1] for one in steps)]
    all_joins: Sequence[Span] = [
        (min(left, begin - 1), begin) for left, begin in zip(before, begins, strict=False)
    ]
    joins = [span for one, span in zip(steps, all_joins, strict=True) if one in chosen]
    joined = all_joins[: steps.index(chosen[-1]) + 1] if chosen else []
    spans = [(begin, max(end, begin + 1)) for begin, end in (said[one.name] for one in chosen)]
    return Window(
        tick0_ns, tuple(spans), ClosedSteps.of(steps, chosen), tuple(joins), tuple(joined)
    )
