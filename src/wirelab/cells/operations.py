"""The samples of one trial, turned into durations by operation.

service time   end - start       what the library took
response time  end - intended    what the caller waited, the lateness of the start included
drift          start - intended  of the first operation of a tick: how late the tick was
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from wirelab.cells import statuses
from wirelab.cells.recorded import Samples
from wirelab.cells.window import Window
from wirelab.gates.facts import OperationFacts
from wirelab.model.suite import Operation, Scenario
from wirelab.stats import percentiles
from wirelab.stats.blocks import TimedSamples

STALL_NS = 100_000_000
"""A start this late is a stall of the client, not jitter."""

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
        """Those intended within the window (views, no copies)."""
        begin, end = np.searchsorted(self.intended_ns, [window.begin_ns, window.end_ns])
        return Durations(
            self.intended_ns[begin:end], self.service[begin:end], self.response[begin:end]
        )

    def cut(self, window: Window) -> tuple[TimedSamples, TimedSamples]:
        """Service and response times in the window's blocks."""
        at = self.intended_ns - window.begin_ns
        service = TimedSamples.cut(self.service, at, window.blocks)
        return service, TimedSamples(self.response, service.bounds)


def in_order(samples: Samples) -> Samples:
    """Samples by intended time; workers write them in the order of completion."""
    if np.all(samples.intended_ns[1:] >= samples.intended_ns[:-1]):
        return samples
    return samples.where(np.argsort(samples.intended_ns, kind="stable"))


def within(samples: Samples, window: Window) -> Samples:
    """Samples intended within the window; they must be in order."""
    begin, end = np.searchsorted(samples.intended_ns, [window.begin_ns, window.end_ns])
    return samples.where(slice(begin, end))


def operation_facts(
    samples: Samples, operation: Operation, scenario: Scenario, window: Window
) -> OperationFacts:
    """Facts of one operation from all its samples, in order of intended time."""
    sent = within(samples, window)
    service = sent.end_ns - sent.start_ns
    ok = sent.status == statuses.OK
    delay = sent.start_ns - sent.intended_ns
    expected = None if scenario.loop == "closed" else window.expected(operation.every)
    return OperationFacts(
        expected=expected,
        sent=len(sent),
        statuses=statuses.count_by_name(sent.status, statuses.status_names(scenario)),
        missed=_missed(sent, operation, window, expected),
        mean_ms=float(service[ok].mean()) / 1e6 if ok.any() else None,
        median_ms=float(np.median(service[ok])) / 1e6 if ok.any() else None,
        second_medians=_second_medians(sent.intended_ns[ok] - window.begin_ns, service[ok], window),
        delay_p99_ms=float(percentiles.percentile(np.sort(delay), 99)) / 1e6 if len(sent) else None,
        delay_max_ms=float(delay.max()) / 1e6 if len(sent) else None,
        stalls=int(np.count_nonzero(delay > STALL_NS)),
    )


def _missed(sent: Samples, operation: Operation, window: Window, expected: int | None) -> int:
    """Due operations without a good answer within the deadline.

    Counted by tick where there is a schedule, so that a tick never done, or done twice in
    place of another, is a miss as well.
    """
    deadline = operation.deadline or _DEADLINE_NONE
    kept = (sent.status == statuses.OK) & (sent.end_ns - sent.intended_ns <= deadline)
    if expected is None:
        return len(sent) - int(np.count_nonzero(kept))
    good = sent.intended_ns[kept & window.at_due_ticks(sent.intended_ns, operation.every)]
    return expected - int(np.count_nonzero(np.diff(good, prepend=-1)))


def _second_medians(
    at_ns: npt.NDArray[np.int64], service: npt.NDArray[np.int64], window: Window
) -> npt.NDArray[np.float64]:
    blocks = TimedSamples.cut(service, at_ns, window.blocks)
    return second_figures(blocks)[:, 0]


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


def tick_drift(samples: Samples, window: Window) -> TimedSamples:
    """First start of each tick of the window minus its intended time, of all operations."""
    inside = within(samples, window)
    ticks, first = np.unique(inside.intended_ns, return_index=True)
    starts = np.minimum.reduceat(inside.start_ns, first) if len(first) else inside.start_ns
    return TimedSamples.cut(starts - ticks, ticks - window.begin_ns, window.blocks)
