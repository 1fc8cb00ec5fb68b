"""Times of one operation in one trial, as gates judge them: of quiet time alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from wirelab.cells import statuses
from wirelab.cells.operations import OperationDurations, second_figures
from wirelab.cells.trial_files import Samples
from wirelab.cells.window import Window
from wirelab.stats import percentiles
from wirelab.stats.blocks import TimedSamples
from wirelab.stats.disturbed import UNDISTURBED, DisturbedTime, quiet_operations
from wirelab.stats.survival import Distribution

STALL_NS = 100_000_000
"""A start this late is a stall of the client, not jitter."""

PAUSE_NS = 100_000_000
"""A time without any answer that a user notices (Nielsen's 0.1 s)."""

PAUSE_SENDS = 5
"""Fewer sends than this within a pause may simply have had nobody to be answered to."""

NO_SECONDS = np.zeros(0)
"""Medians of no second."""


@dataclass(frozen=True)
class Lateness:
    """start - intended; where a start was not seen before others disturbed the host, so far."""

    p99_ms: float | None
    max_ms: float | None
    stalls: int


def lateness(sent: Samples, disturbed: DisturbedTime) -> Lateness:
    """The lateness of samples in order."""
    late = quiet_operations(disturbed, sent.intended_ns, sent.start_ns)
    if not len(late.durations):
        return Lateness(None, None, 0)
    p99 = Distribution.of(late.durations, late.ended).percentile(99).value
    stalls = int(np.count_nonzero(late.durations > STALL_NS))
    return Lateness(p99 / 1e6, float(late.durations.max()) / 1e6, stalls)


def own_delay_p99_ms(samples: Samples, window: Window, disturbed: DisturbedTime) -> float | None:
    """p99 of start - when it could have started: when it was due, or when the operation before it
    on its lane had ended."""
    by_lane = samples.where(np.lexsort((samples.start_ns, samples.lane)))
    free_ns = np.zeros(len(by_lane), dtype=np.int64)
    same = by_lane.lane[1:] == by_lane.lane[:-1]
    free_ns[1:] = np.where(same, by_lane.end_ns[:-1], 0)
    could = np.maximum(by_lane.intended_ns, free_ns)
    cut_at = disturbed.next_begin(by_lane.intended_ns)
    delay = np.where(
        by_lane.start_ns <= cut_at, by_lane.start_ns - could, np.maximum(cut_at - could, 0)
    )
    quiet = ~disturbed.holds(by_lane.intended_ns)
    due = np.argsort(by_lane.intended_ns, kind="stable")
    inside = due[window.inside(by_lane.intended_ns[due])]
    own = delay[inside][quiet[inside]]
    return float(percentiles.percentile(np.sort(own), 99)) / 1e6 if len(own) else None


@dataclass(frozen=True)
class ServiceTimes:
    """Figures of the service times of a trial, however few they rest on; None without any."""

    mean_ms: float | None = None
    median_ms: float | None = None


def service_times(durations: OperationDurations) -> ServiceTimes:
    """The figures of service times; of what was cut off, as long as it is known to have taken."""
    if not len(durations.service):
        return ServiceTimes()
    found = Distribution.of(durations.service, durations.ended)
    if found.ended is not None:
        return ServiceTimes(found.mean / 1e6, found.percentile(50).value / 1e6)
    # The order of a sum shows in its last digit.
    mean = float(durations.service.mean())
    return ServiceTimes(mean / 1e6, float(np.median(found.ordered)) / 1e6)


def second_medians(
    durations: OperationDurations, window: Window, disturbed: DisturbedTime
) -> npt.NDArray[np.float64]:
    """Median of each second of quiet time; nan where too few ended.

    None over several steps: these are unlike loads, and no steady state is looked for.
    """
    if len(window.spans) > 1:
        return NO_SECONDS
    service, _ = durations.cut(window, disturbed)
    if service.ended is None:
        return second_figures(service)[:, 0]
    return np.array([_median_of(service, *bounds) for bounds in pairwise(service.bounds)])


def _median_of(timed: TimedSamples, begin: int, end: int) -> float:
    if timed.ended is None or begin == end:
        return float("nan")
    found = Distribution.of(timed.values[begin:end], timed.ended[begin:end]).percentile(50)
    return found.value / 1e6 if found.reached else float("nan")


def pauses_within(sent: Samples, window: Window, disturbed: DisturbedTime) -> tuple[float, ...]:
    """Pauses of each stretch: between two of them nobody is asked anything that counts."""
    parts = by_stretch(sent, window)
    return tuple(pause for own in parts for pause in pauses(own, disturbed))


def by_stretch(sent: Samples, window: Window) -> Sequence[Samples]:
    """Samples, in order, by the stretch of the window they are in; empty ones left out."""
    bounds = (np.searchsorted(sent.intended_ns, span) for span in window.spans)
    parts = (sent.where(slice(int(begin), int(end))) for begin, end in bounds)
    return [part for part in parts if len(part)]


def pauses(sent: Samples, disturbed: DisturbedTime = UNDISTURBED) -> tuple[float, ...]:
    """Lengths (ms) of the times in which nothing was answered although much was asked.

    ``PAUSE_NS`` or more without any answer, in which at least ``PAUSE_SENDS`` operations were
    started: the whole service stood still, not one of its users. Where others disturbed the host
    meanwhile, it counts until they did.
    """
    ends = np.sort(sent.end_ns[sent.status == statuses.OK])
    starts = np.sort(sent.start_ns)
    if len(ends) < 2:
        return ()
    since = ends[:-1][~disturbed.holds(ends[:-1])]
    until = ends[1:][~disturbed.holds(ends[:-1])]
    until = np.minimum(until, disturbed.next_begin(since))
    gaps = until - since
    long = np.flatnonzero(gaps >= PAUSE_NS)
    asked = np.searchsorted(starts, until[long]) - np.searchsorted(starts, since[long])
    return tuple(
        float(gaps[at]) / 1e6 for at, n in zip(long, asked, strict=True) if n >= PAUSE_SENDS
    )
