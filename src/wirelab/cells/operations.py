"""The samples of one trial, turned into durations by operation.

service time   end - start       what the library took
response time  end - intended    what the caller waited, the lateness of the start included
drift          start - intended  of the first operation of a tick: how late the tick was

A closed loop has the first of them alone: nothing in it is due at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from wirelab.cells import statuses
from wirelab.cells.intervals import OperationIntervals
from wirelab.cells.trial_files import Samples
from wirelab.cells.window import Window
from wirelab.gates.facts import OperationFacts
from wirelab.model.parts import Operation
from wirelab.model.scenario import Scenario
from wirelab.stats import percentiles
from wirelab.stats.blocks import TimedSamples
from wirelab.stats.counted import CountedSamples, bucket_of

STALL_NS = 100_000_000
"""A start this late is a stall of the client, not jitter."""

PAUSE_NS = 100_000_000
"""A time without any answer that a user notices (Nielsen's 0.1 s)."""

PAUSE_SENDS = 5
"""Fewer sends than this within a pause may simply have had nobody to be answered to."""

_NONE = np.zeros(0)
_DEADLINE_NONE = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Durations:
    """Durations of the successful operations of one kind, in ns, by intended time."""

    intended_ns: npt.NDArray[np.int64]
    service: npt.NDArray[np.int64]
    response: npt.NDArray[np.int64]

    @staticmethod
    def of(samples: Samples) -> Durations:
        """Of the successful ones of ``samples``, which are in order of intended time."""
        ok = samples.where(samples.status == statuses.OK)
        return Durations(ok.intended_ns, ok.end_ns - ok.start_ns, ok.end_ns - ok.intended_ns)

    def within(self, window: Window) -> Durations:
        """Those intended within the window (views, no copies, where it is one stretch)."""
        chosen = window.inside(self.intended_ns)
        return Durations(self.intended_ns[chosen], self.service[chosen], self.response[chosen])

    def cut(self, window: Window) -> tuple[TimedSamples, TimedSamples]:
        """Service and response times in the window's blocks."""
        service = window.cut(self.service, self.intended_ns)
        return service, TimedSamples(self.response, service.bounds)


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


def operation_facts(
    samples: Samples, operation: Operation, scenario: Scenario, window: Window, *, by_tick: bool
) -> OperationFacts:
    """Facts of one operation from all its samples, in order of intended time.

    ``by_tick`` is false for a generator that keeps no ticks: then it is counted, and no more.
    """
    window = window.for_operation(operation)
    sent = within(samples, window)
    service = sent.end_ns - sent.start_ns
    ok = sent.status == statuses.OK
    delay = sent.start_ns - sent.intended_ns
    expected = None if not scenario.is_scheduled else window.expected(operation)
    lost = max(0, window.expected(operation) - len(sent)) if window.closed else 0
    by_status = statuses.count_by_name(sent.status, statuses.status_names(scenario))
    joins_closed = window.closed and operation.due == "join"
    return OperationFacts(
        expected=expected,
        sent=len(sent) + lost,
        statuses=by_status | ({"lost": lost} if lost else {}),
        missed=lost + _missed(sent, operation, window, expected, by_tick=by_tick),
        mean_ms=float(service[ok].mean()) / 1e6 if ok.any() else None,
        median_ms=float(np.median(service[ok])) / 1e6 if ok.any() else None,
        p99_ms=(
            float(percentiles.percentile(np.sort(service[ok]), 99)) / 1e6 if ok.any() else None
        ),
        second_medians=_second_medians(sent.intended_ns[ok], service[ok], window),
        delay_p99_ms=float(percentiles.percentile(np.sort(delay), 99)) / 1e6 if len(sent) else None,
        delay_max_ms=float(delay.max()) / 1e6 if len(sent) else None,
        own_delay_p99_ms=_own_delay_p99_ms(samples, window) if scenario.waits_in_lanes else None,
        stalls=int(np.count_nonzero(delay > STALL_NS)),
        seconds=_taken(sent, window) if joins_closed and len(sent) else window.seconds,
        pauses=_pauses_within(sent, window) if operation.due == "tick" else (),
        payload=int(sent.size[ok].sum(dtype=np.int64)),
    )


def _own_delay_p99_ms(samples: Samples, window: Window) -> float | None:
    """p99 of start - when it could have started: when it was due, or when the operation before it
    on its lane had ended."""
    by_lane = samples.where(np.lexsort((samples.start_ns, samples.lane)))
    free_ns = np.zeros(len(by_lane), dtype=np.int64)
    same = by_lane.lane[1:] == by_lane.lane[:-1]
    free_ns[1:] = np.where(same, by_lane.end_ns[:-1], 0)
    delay = by_lane.start_ns - np.maximum(by_lane.intended_ns, free_ns)
    due = np.argsort(by_lane.intended_ns, kind="stable")
    own = delay[due][window.inside(by_lane.intended_ns[due])]
    return float(percentiles.percentile(np.sort(own), 99)) / 1e6 if len(own) else None


def _taken(sent: Samples, window: Window) -> float:
    """Seconds from the first start to the last end in each stretch: users that join a closed loop
    do so one after the other, and what settles after them is none of their time."""
    parts = _by_stretch(sent, window)
    return sum(max(1, int(own.end_ns.max() - own.start_ns.min())) for own in parts) / 1e9


def _by_stretch(sent: Samples, window: Window) -> list[Samples]:
    """Samples, in order, by the stretch of the window they are in; empty ones left out."""
    bounds = (np.searchsorted(sent.intended_ns, span) for span in window.spans)
    parts = (sent.where(slice(int(begin), int(end))) for begin, end in bounds)
    return [part for part in parts if len(part)]


def counted_facts(intervals: OperationIntervals, window: Window) -> OperationFacts:
    """Facts of an operation that was counted by the second: what is lost has failed."""
    counts = intervals.counts(window)
    expected, received = counts.get("expected", 0), counts.get("received", 0)
    service = intervals.durations("service", window)
    statuses = {"ok": received, "lost": expected - received, "wrong-answer": counts.get("wrong", 0)}
    known = len(service) > 0
    return OperationFacts(
        expected=None,
        sent=expected,
        statuses={name: count for name, count in statuses.items() if count},
        missed=expected - received,
        mean_ms=service.mean() / 1e6 if known else None,
        median_ms=service.percentile(50) / 1e6 if known else None,
        p99_ms=service.percentile(99) / 1e6 if known else None,
        second_medians=_NONE if len(window.spans) > 1 else block_figures(service)[:, 0],
        delay_p99_ms=None,
        delay_max_ms=None,
        stalls=0,
        seconds=window.counted_seconds,
        counts=counts,
        payload=counts.get("bytes", 0),
        peak_payload=intervals.peak("bytes", window),
    )


def _pauses_within(sent: Samples, window: Window) -> tuple[float, ...]:
    """Pauses of each stretch: between two of them nobody is asked anything that counts."""
    return tuple(pause for own in _by_stretch(sent, window) for pause in pauses(own))


def pauses(sent: Samples) -> tuple[float, ...]:
    """Lengths (ms) of the times in which nothing was answered although much was asked.

    ``PAUSE_NS`` or more without any answer, in which at least ``PAUSE_SENDS`` operations were
    started: the whole service stood still, not one of its users.
    """
    ends = np.sort(sent.end_ns[sent.status == statuses.OK])
    starts = np.sort(sent.start_ns)
    if len(ends) < 2:
        return ()
    gaps = np.diff(ends)
    long = np.flatnonzero(gaps >= PAUSE_NS)
    asked = np.searchsorted(starts, ends[long + 1]) - np.searchsorted(starts, ends[long])
    return tuple(
        float(gaps[at]) / 1e6 for at, n in zip(long, asked, strict=True) if n >= PAUSE_SENDS
    )


def _missed(
    sent: Samples, operation: Operation, window: Window, expected: int | None, *, by_tick: bool
) -> int:
    """Due operations without a good answer within the deadline.

    Counted by tick where there is a schedule, so that a tick never done, or done twice in
    place of another, is a miss as well.
    """
    deadline = operation.deadline or _DEADLINE_NONE
    kept = (sent.status == statuses.OK) & (sent.end_ns - sent.intended_ns <= deadline)
    if expected is None:
        return len(sent) - int(np.count_nonzero(kept))
    if operation.due == "join" or not by_tick:
        return max(0, expected - int(np.count_nonzero(kept)))
    lanes = sent.lane.astype(np.int64)
    good = kept & window.at_due_ticks(sent.intended_ns, operation.every, lanes)
    done = np.column_stack([sent.intended_ns[good], lanes[good]])
    return expected - len(np.unique(done, axis=0))


def _second_medians(
    at_ns: npt.NDArray[np.int64], service: npt.NDArray[np.int64], window: Window
) -> npt.NDArray[np.float64]:
    """None over several steps: these are unlike loads, and no steady state is looked for."""
    if len(window.spans) > 1:
        return _NONE
    return second_figures(window.cut(service, at_ns))[:, 0]


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


def block_figures(blocks: CountedSamples) -> npt.NDArray[np.float64]:
    """The same of durations that were counted."""
    figures = np.full((blocks.blocks, 3), np.nan)
    for number, counts in enumerate(blocks.counts):
        if counts.any():
            at = [bucket_of(counts, level) for level in (50, 95, 100)]
            figures[number] = blocks.highs[at]
    return figures / 1e6


def tick_drift(samples: Samples, window: Window) -> TimedSamples:
    """First start of each tick of the window minus its intended time, of all operations."""
    inside = within(samples, window)
    ticks, first = np.unique(inside.intended_ns, return_index=True)
    starts = np.minimum.reduceat(inside.start_ns, first) if len(first) else inside.start_ns
    return window.cut(starts - ticks, ticks)
