"""Metrics that only a step of a closed loop has: its duration, and how evenly it served its users.

Nothing in a closed loop is due at a time, so there are neither response times nor drift nor a
rate that was asked for; but its work is fixed, and the time for it is a figure. Where others
disturbed the host meanwhile, it is told as it would have been at the pace of quiet time. Where
nobody knows that pace, it is told as it was if others took a small share of it
(``wirelab.stats.whole_steps``); else the rest is the least that it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from wirelab.cells import statuses
from wirelab.cells.asked import ClosedSteps
from wirelab.cells.estimate import Estimate
from wirelab.cells.figures import as_least, of_trials
from wirelab.cells.operations import within
from wirelab.cells.trial_files import Samples
from wirelab.cells.window import Window
from wirelab.model.parts import Operation
from wirelab.model.scenario import Scenario
from wirelab.stats.disturbed import DisturbedTime
from wirelab.stats.lanes import Cycles, QuietClock, quiet_rate
from wirelab.stats.whole_steps import is_whole

NEVER_REACHED = "never-reached"
NOT_SUPPORTED = "not-supported"
DISTURBED = "host-disturbed"


@dataclass(frozen=True)
class StepTime:
    """A time in s: of quiet time, as far as it is ``known`` and not only the least, and with what
    others disturbed."""

    quiet: float
    known: bool
    everything: float

    @staticmethod
    def by(clock: QuietClock, begin: int, end: int) -> StepTime:
        """The time from one instant to another."""
        everything = end - begin
        if clock.knows(begin, end):
            return StepTime(clock.between(begin, end) / 1e9, True, everything / 1e9)
        if is_whole(clock.disturbed, begin, end):
            return StepTime(everything / 1e9, True, everything / 1e9)
        least, taken = clock.between(begin, end), clock.disturbed.taken
        if taken is not None:
            least = max(least, everything - taken.between(begin, end))
        return StepTime(least / 1e9, False, everything / 1e9)

    def less(self, ns: int) -> StepTime:
        """The same without so much of it.

        Of a time known as the least alone nobody knows how much of that was quiet: all of it may
        have been, but the least is never less than nothing.
        """
        taken = ns / 1e9
        quiet = max(0.0, self.quiet - taken)
        return replace(self, quiet=quiet, everything=self.everything - taken)


@dataclass(frozen=True)
class UserTimes:
    """Times of a step's users for an operation that each of them does in it."""

    first: StepTime | None  # of user 0; None: never completed
    last: StepTime | None
    fairness: float | None  # of what each does once; None of all else
    known: bool


@dataclass(frozen=True)
class ClosedFigures:
    """One step of one trial."""

    elapsed: StepTime  # from its begin to its end
    marks: Mapping[str, Mapping[int, StepTime]] = field(default_factory=dict)
    """By operation: until so many of it were completed; those that were reached."""
    asked: Mapping[str, int] = field(default_factory=dict)  # of operations with marks
    served: Mapping[str, UserTimes] = field(default_factory=dict)
    joined: Mapping[str, StepTime | None] = field(default_factory=dict)
    """By operation: until all users had joined, steps before this one included."""


def closed_figures(
    window: Window,
    operations: Mapping[str, Operation],
    samples: Mapping[str, Samples],
    disturbed: DisturbedTime,
) -> ClosedFigures | None:
    """Figures of a step; None for a window that is not one step of a closed loop.

    ``operations`` are all, ``samples`` those of them that were kept one by one, in order.
    """
    if not window.closed or len(window.spans) != 1:
        return None
    clock = _clock(window, operations, samples, disturbed)
    joining = QuietClock(disturbed)
    sampled = {name: operation for name, operation in operations.items() if name in samples}
    marked = {name: operation for name, operation in sampled.items() if operation.marks}
    return ClosedFigures(
        elapsed=StepTime.by(clock, window.begin_ns, window.end_ns).less(window.paused_ns),
        marks={name: _marks(samples[name], own, window, clock) for name, own in marked.items()},
        asked={name: window.expected(operation) for name, operation in marked.items()},
        served={
            name: _served(samples[name], window, window.expected(operation), clock)
            if operation.due == "step"
            else _asked(samples[name], window, window.expected(operation), clock)
            for name, operation in sampled.items()
            if operation.due == "step" or (operation.due == "tick" and _sharing(window) > 1)
        },
        joined={
            name: _joined(samples[name], window, joining)
            for name, operation in sampled.items()
            if operation.due == "join"
        },
    )


def _lanes(window: Window) -> int:
    return window.asked.lanes if isinstance(window.asked, ClosedSteps) else 0


def _sharing(window: Window) -> int:
    """Lanes that have the same work to do: of a ramp none, where one has less time than another."""
    return 0 if isinstance(window.asked, ClosedSteps) and window.asked.has_time else _lanes(window)


def _clock(
    window: Window,
    operations: Mapping[str, Operation],
    samples: Mapping[str, Samples],
    disturbed: DisturbedTime,
) -> QuietClock:
    """The clock of quiet time, by the operation that lanes are at most of the time.

    What another operation handed over is recorded by the second and comes after it, so that nobody
    knows how much of the work was done when; a span of an operation is within it.
    """
    handed_over = any(own.sent_by for name, own in operations.items() if name not in samples)
    if not disturbed or handed_over:
        return QuietClock(disturbed)
    repeated = [
        within(own, window) for name, own in samples.items() if operations[name].due == "tick"
    ]
    longest = max(repeated, key=lambda own: int((own.end_ns - own.start_ns).sum()), default=None)
    if longest is None or not len(longest):
        return QuietClock(disturbed)
    cycles = Cycles.of(longest.start_ns, longest.end_ns, longest.lane)
    rate = quiet_rate(disturbed, window.spans, cycles)
    return QuietClock.of(disturbed, window.spans[0], len(longest), rate)


def _marks(
    samples: Samples, operation: Operation, window: Window, clock: QuietClock
) -> dict[int, StepTime]:
    """Time until the N-th was completed, over all lanes: since the step began; of users who join,
    who do so before it begins, since the first of them began to.
    """
    inside = within(samples, window.for_operation(operation))
    since = window.begin_ns
    if operation.due == "join" and len(inside):
        since = int(inside.start_ns.min())
    ends = np.sort(inside.end_ns[inside.status == statuses.OK])
    reached = (n for n in operation.marks if n <= len(ends))
    return {n: StepTime.by(clock, since, int(ends[n - 1])) for n in reached}


def _served(samples: Samples, window: Window, users: int, clock: QuietClock) -> UserTimes:
    inside = within(samples, window)
    good = inside.where(inside.status == statuses.OK)
    times = zip(good.lane.tolist(), good.start_ns.tolist(), good.end_ns.tolist(), strict=True)
    took = {lane: StepTime.by(clock, start, end) for lane, start, end in times}
    rates = [1 / max(1e-9, one.quiet) for one in took.values()]
    known = all(one.known for one in took.values())
    return UserTimes(took.get(0), took.get(users - 1), fairness(rates, users), known)


def _asked(samples: Samples, window: Window, due: int, clock: QuietClock) -> UserTimes:
    """Times that the first and the last lane took for all that they ask for in the step."""
    inside = within(samples, window)
    good = inside.where(inside.status == statuses.OK)
    lanes = _lanes(window)

    def taken(lane: int) -> StepTime | None:
        ends = good.end_ns[good.lane == lane]
        whole = len(ends) >= due // lanes
        return StepTime.by(clock, window.begin_ns, int(ends.max())) if whole else None

    first, last = taken(0), taken(lanes - 1)
    return UserTimes(first, last, None, all(one is None or one.known for one in (first, last)))


def _joined(samples: Samples, window: Window, clock: QuietClock) -> StepTime | None:
    """The time in which users joined, without that of the steps between; None: not all did."""
    if not isinstance(window.asked, ClosedSteps):
        return None
    inside = [within(samples, replace(window, spans=(span,))) for span in window.joined]
    if sum(int((own.status == statuses.OK).sum()) for own in inside) < window.asked.users:
        return None
    took = [
        StepTime.by(clock, int(own.start_ns.min()), int(own.end_ns.max()))
        for own in inside
        if len(own)
    ]
    return _sum(took)


def _sum(times: Sequence[StepTime]) -> StepTime:
    return StepTime(
        sum(one.quiet for one in times),
        all(one.known for one in times),
        sum(one.everything for one in times),
    )


def fairness(rates: Sequence[float], users: int) -> float | None:
    """Jain's index (sum x)^2 / (n sum x^2) of the rates x at which users were served, between 1
    (all alike) and 1 / n (one got everything); None where nobody got anything.

    R. Jain, D. Chiu, W. Hawe: A Quantitative Measure of Fairness and Discrimination for Resource
    Allocation in Shared Computer Systems, DEC-TR-301, 1984. The index is of what users *get*, so
    it takes rates, 1 / duration, and not durations: who waits long got little (a duration would
    count that as much), and who never got anything has the rate 0, where a duration has no value.
    """
    total = float(sum(rates))
    squares = float(sum(rate * rate for rate in rates))
    return total * total / (users * squares) if squares > 0 else None


Steps = Sequence[ClosedFigures]


def closed_metrics(
    steps: Steps, scenario: Scenario, operations: Sequence[str]
) -> dict[str, Estimate]:
    """Metrics of a step over its trials: s until its end and its marks, ms of single users."""
    metrics = {"step.elapsed": _over_trials([step.elapsed for step in steps])}
    for name in operations:
        operation = scenario.operations[name]
        if operation.record != "samples":
            # Of what is recorded by the second nobody knows when the N-th came.
            absent = Estimate.absent(NOT_SUPPORTED)
            metrics |= {f"{name}.elapsed.{n}": absent for n in operation.marks}
            continue
        for n in operation.marks:
            if any(step.asked[name] >= n for step in steps):
                metrics[f"{name}.elapsed.{n}"] = _over_trials(
                    [step.marks[name].get(n) for step in steps]
                )
        if operation.due == "step":
            metrics |= _user_metrics(name, [step.served[name] for step in steps])
        elif all(name in step.served for step in steps):
            metrics |= _first_and_last(name, [step.served[name] for step in steps])
        elif operation.due == "join":
            metrics |= _joining_metrics(name, steps)
    return metrics


def _joining_metrics(name: str, steps: Steps) -> dict[str, Estimate]:
    joined = [step.joined[name] for step in steps]
    summed = [
        None if own is None else _sum([own, step.elapsed])
        for own, step in zip(joined, steps, strict=True)
    ]
    return {f"{name}.elapsed": _over_trials(joined), f"{name}.elapsed.summed": _over_trials(summed)}


def _user_metrics(name: str, served: Sequence[UserTimes]) -> dict[str, Estimate]:
    even = of_trials([one.fairness for one in served], absent=NEVER_REACHED)
    if even.interval is not None:
        low, high = even.interval
        even = replace(even, interval=(low, min(high, 1.0)))
    if not all(one.known for one in served):
        even = Estimate.absent(DISTURBED)
    return {**_first_and_last(name, served), f"{name}.fairness": even}


def _first_and_last(name: str, served: Sequence[UserTimes]) -> dict[str, Estimate]:
    return {
        f"{name}.first": _over_trials([one.first for one in served], per_second=1e3),
        f"{name}.last": _over_trials([one.last for one in served], per_second=1e3),
    }


def _over_trials(taken: Sequence[StepTime | None], per_second: float = 1.0) -> Estimate:
    """The mean of times over trials, those left out that are known as the least alone; where these
    are more than half, the mean is the least as well, and there is none where that is nothing.
    """
    reached = [one for one in taken if one is not None]
    is_known = 2 * sum(one.known for one in reached) >= len(reached)
    quiet = [
        None if one is None or (is_known and not one.known) else one.quiet * per_second
        for one in taken
    ]
    found = of_trials(quiet, absent=NEVER_REACHED)
    everything = [one.everything * per_second for one in reached]
    if everything == [value for value in quiet if value is not None]:
        return found
    found = replace(found, uncensored=float(np.mean(everything)))
    if is_known:
        return found
    if not found.value:
        return replace(Estimate.absent(DISTURBED), uncensored=found.uncensored)
    return as_least(found)
