"""The facts about one operation in one trial that gates are told.

Counts are of the whole window, whatever disturbed the host; times are of its quiet time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from wirelab.cells import statuses
from wirelab.cells.intervals import OperationIntervals, QuietSeconds
from wirelab.cells.left_out import left_out
from wirelab.cells.operation_times import (
    NO_SECONDS,
    by_stretch,
    lateness,
    own_delay_p99_ms,
    pauses_within,
    second_medians,
    service_times,
)
from wirelab.cells.operations import OperationDurations, block_figures, within
from wirelab.cells.trial_files import Samples
from wirelab.cells.window import Window
from wirelab.gates.facts import DROPPED, OperationFacts, QuietCounts
from wirelab.model.parts import Operation
from wirelab.model.scenario import Scenario
from wirelab.model.span import Span
from wirelab.stats.disturbed import UNDISTURBED, DisturbedTime
from wirelab.stats.histograms import HistogramSamples
from wirelab.stats.lanes import Cycles, QuietRate, quiet_rate, rate_over_steps

_SHED = "shed"
"""Count of what a server left out on purpose, and said so."""

Number = TypeVar("Number", int, npt.NDArray[np.float64])
"""A count, or one of each second."""

_DEADLINE_NONE = np.iinfo(np.int64).max


def operation_facts(
    samples: Samples,
    operation: Operation,
    scenario: Scenario,
    window: Window,
    *,
    by_tick: bool,
    disturbed: DisturbedTime = UNDISTURBED,
) -> OperationFacts:
    """Facts of one operation from all its samples, in order of intended time.

    ``by_tick`` is false for a generator that keeps no ticks: then it is counted, and no more.
    """
    window = window.for_operation(operation)
    sent = within(samples, window)
    ok = sent.status == statuses.OK
    late = lateness(sent, disturbed)
    quiet = OperationDurations.quiet(samples, disturbed).within(window)
    service = service_times(quiet)
    expected = None if not scenario.is_scheduled else window.expected(operation)
    lost = max(0, window.expected(operation) - len(sent)) if window.closed else 0
    by_status = statuses.count_by_name(sent.status, statuses.status_names(scenario))
    missed = lost + _missed(sent, operation, window, expected, by_tick=by_tick)
    joins_closed = window.closed and operation.due == "join"
    return OperationFacts(
        expected=expected,
        sent=len(sent) + lost,
        statuses=by_status | ({"lost": lost} if lost else {}),
        missed=missed,
        mean_ms=service.mean_ms,
        median_ms=service.median_ms,
        second_medians=second_medians(quiet, window, disturbed),
        delay_p99_ms=late.p99_ms,
        delay_max_ms=late.max_ms,
        own_delay_p99_ms=(
            own_delay_p99_ms(samples, window, disturbed) if scenario.waits_in_lanes else None
        ),
        stalls=late.stalls,
        seconds=_seconds(_taken(sent, window))
        if joins_closed and len(sent)
        else window.working_seconds,
        pauses=pauses_within(sent, window, disturbed) if operation.due == "tick" else (),
        payload=int(sent.size[ok].sum(dtype=np.int64)),
        quiet=_quiet_counts(sent, operation, window, disturbed) if by_tick else None,
        unattributed=_unattributed(sent, disturbed) + (lost if disturbed else 0),
        missed_beside=_missed_beside(sent, operation, window, disturbed, missed),
        left_out=left_out(sent, operation, window) if by_tick else 0,
        quiet_rate=_quiet_rate(sent, operation, window, disturbed),
    )


def _unattributed(sent: Samples, disturbed: DisturbedTime) -> int:
    """Failed operations that were under way at some time in which others disturbed the host."""
    failed = sent.where(sent.status != statuses.OK)
    beside = disturbed.holds(failed.intended_ns)
    beside |= disturbed.next_begin(failed.intended_ns) < failed.end_ns
    return int(np.count_nonzero(beside))


def _quiet_counts(
    sent: Samples, operation: Operation, window: Window, disturbed: DisturbedTime
) -> QuietCounts | None:
    """Operations of quiet time; None where all of it was, or no tick says when they are due."""
    due = window.due_ns(operation) if disturbed else None
    if due is None:
        return None
    quiet = ~disturbed.holds(sent.intended_ns)
    return QuietCounts(
        due=int(np.count_nonzero(~disturbed.holds(due))),
        sent=int(np.count_nonzero(quiet)),
        done=int(np.count_nonzero(quiet & (sent.status == statuses.OK))),
    )


def _quiet_rate(
    sent: Samples, operation: Operation, window: Window, disturbed: DisturbedTime
) -> QuietRate | None:
    """Good operations a second of a closed loop's quiet time; None where nobody can tell, or all
    of it was quiet."""
    if not disturbed or not window.closed:
        return None
    cycles = [Cycles.of(own.start_ns, own.end_ns, own.lane) for own in by_stretch(sent, window)]
    all_cycles = Cycles.joined(cycles)
    if window.is_ramp:
        rate = rate_over_steps(disturbed, window.parts, all_cycles)
    else:
        spans = _taken(sent, window) if operation.due == "join" else window.spans
        rate = quiet_rate(disturbed, spans, all_cycles)
    if rate is None:
        return None
    known = sent.status[~disturbed.holds(sent.start_ns) & ~disturbed.holds(sent.end_ns)]
    good = float(np.mean(known == statuses.OK)) if len(known) else 0.0
    return replace(rate, per_second=rate.per_second * good)


def _taken(sent: Samples, window: Window) -> Sequence[Span]:
    """From the first start to the last end in each stretch: users that join a closed loop do so
    one after the other, and what settles after them is none of their time."""
    parts = by_stretch(sent, window)
    begins = [int(own.start_ns.min()) for own in parts]
    ends = [int(own.end_ns.max()) for own in parts]
    return [(begin, max(end, begin + 1)) for begin, end in zip(begins, ends, strict=True)]


def _seconds(spans: Sequence[Span]) -> float:
    return sum(end - begin for begin, end in spans) / 1e9


def histogram_facts(
    operation: Operation, intervals: OperationIntervals, window: Window, quiet: QuietSeconds | None
) -> OperationFacts:
    """Facts of an operation that was recorded by the second: what is lost has failed.

    Its times are of the ``quiet`` seconds, where not all are.
    """
    counts = _believed(operation, intervals.counts(window))
    attributed = intervals.counts(window, quiet)
    received = counts.get("received", 0)
    lost = undelivered(operation, lambda name: counts.get(name, 0))
    beside = lost - undelivered(operation, lambda name: attributed.get(name, 0))
    service = intervals.durations("service", window, quiet)
    statuses = {
        "ok": received,
        "lost": lost,
        "wrong-answer": counts.get("wrong", 0),
    }
    known = len(service) > 0
    return OperationFacts(
        expected=None,
        # What is left out on purpose was not to be delivered.
        sent=received + lost,
        statuses={name: count for name, count in statuses.items() if count},
        missed=lost,
        mean_ms=service.mean() / 1e6 if known else None,
        median_ms=service.percentile(50) / 1e6 if known else None,
        second_medians=NO_SECONDS if len(window.spans) > 1 else _medians(service),
        delay_p99_ms=None,
        delay_max_ms=None,
        stalls=0,
        seconds=window.histogram_seconds,
        counts=counts,
        unattributed=beside + counts.get(DROPPED, 0) - attributed.get(DROPPED, 0),
        missed_beside=beside,
        payload=counts.get("bytes", 0),
        peak_payload=intervals.peak("bytes", window),
        seconds_left_out=quiet.share_left_out if quiet else 0.0,
    )


def _believed(operation: Operation, counts: Mapping[str, int]) -> dict[str, int]:
    """The counts; what is said to be left out on purpose is lost where nothing may be."""
    return {name: n for name, n in counts.items() if name != _SHED or operation.sheds}


def undelivered(operation: Operation, count: Callable[[str], Number]) -> Number:
    """Number of those lost, by the counts of each name; what a server may leave out, and said so,
    is none of them."""
    lost = count("expected") - count("received")
    return lost - count(_SHED) if operation.sheds else lost


def _medians(service: HistogramSamples) -> npt.NDArray[np.float64]:
    """Median of each second; nan where too few ended."""
    medians = block_figures(service)[:, 0]
    if service.cut is not None:
        medians[2 * service.cut.sum(axis=1) > service.counts.sum(axis=1)] = np.nan
    return medians


def _missed(
    sent: Samples, operation: Operation, window: Window, expected: int | None, *, by_tick: bool
) -> int:
    """Due operations without a good answer within the deadline.

    Counted by tick where there is a schedule, so that a tick never done, or done twice in
    place of another, is a miss as well.
    """
    kept = _kept(sent, operation)
    if expected is None:
        return len(sent) - int(np.count_nonzero(kept))
    if operation.due == "join" or not by_tick:
        return max(0, expected - int(np.count_nonzero(kept)))
    lanes = sent.lane.astype(np.int64)
    good = kept & window.at_due_ticks(sent.intended_ns, operation.every, lanes)
    done = np.column_stack([sent.intended_ns[good], lanes[good]])
    return expected - len(np.unique(done, axis=0))


def _kept(sent: Samples, operation: Operation) -> npt.NDArray[np.bool_]:
    """Mark those that succeeded within their deadline."""
    deadline = operation.deadline or _DEADLINE_NONE
    kept: npt.NDArray[np.bool_] = sent.status == statuses.OK
    return kept & (sent.end_ns - sent.intended_ns <= deadline)


def _missed_beside(
    sent: Samples,
    operation: Operation,
    window: Window,
    disturbed: DisturbedTime,
    missed: int,
) -> int:
    """Count the missed operations that others may have disturbed: all but those that were due in
    quiet time, and had until their deadline of it."""
    if not disturbed or not missed:
        return 0
    allowed = operation.deadline or 0

    def undisturbed(at_ns: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        return ~disturbed.holds(at_ns) & (disturbed.next_begin(at_ns) - at_ns >= allowed)

    late = ~_kept(sent, operation)
    due = window.due_ns(operation)
    if due is None:
        own = int(np.count_nonzero(late & undisturbed(sent.intended_ns)))
    else:
        done = int(np.count_nonzero(~late & undisturbed(sent.intended_ns)))
        own = max(0, int(np.count_nonzero(undisturbed(due))) - done)
    return max(0, missed - own)
