"""Stamps that cannot be right: counted here, judged by the gate ``clock``."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from wirelab.cells import statuses
from wirelab.cells.asked import ClosedSteps
from wirelab.cells.trial_files import Samples
from wirelab.cells.window import Window
from wirelab.gates.facts import ClockFacts
from wirelab.model.parts import Operation
from wirelab.model.scenario import Scenario
from wirelab.model.trial import TrialRecord

GRAIN_NS = 16
"""Time before its intended time that a start is let pass: no timer fires early, and a stamp that is
kept as a fraction of 64 bits is rounded to so much after two years of a machine's life.
"""

FOREIGN_GRAIN_NS = 1_000_000
"""The same of another generator than the suite's, which may round to milliseconds."""

_ROUND_NS = 10_000
_ROUND_SHARE = 0.25
"""Share of stamps that are whole multiples of ten microseconds, from which on somebody rounds them:
of those of a clock that counts nanoseconds one in 10,000 is."""

_LEAST = 40
"""Stamps below which nothing is said of their grain."""

_STEPS_NS = (1_000_000, 10_000_000 / 3, 4_000_000, 10_000_000)
"""Steps of the clocks that the kernel keeps for those who do not want to wait for the exact one:
what it counts jiffies in.
"""

_STEP_GRAIN_NS = 250
"""Time by which a multiple of such a step is missed: steps follow each other evenly, but for what
the host's clock is being corrected by meanwhile.
"""

_STEP_SHARE = 0.5
"""Share of ends a multiple of one step apart from the end before them, from which on they are those
of a clock that moves in steps: of operations that go by ticks, ends are apart by ticks, but none is
on the way for so exactly as long as the one before it.
"""


def clock_facts(
    samples: Samples,
    operations: Mapping[str, Operation],
    scenario: Scenario,
    record: TrialRecord,
    window: Window,
) -> ClockFacts:
    """Count impossible stamps among all samples of a trial, warm-up included.

    Another generator than the suite's keeps a schedule of its own, which may have no ticks. Where
    a server is stopped, calls end when their limit does, which is counted from ticks that are apart
    by whole milliseconds; nothing is compared there that a step of 10 ms could change.
    """
    born = started_ns(record, scenario.measured_role) or window.tick0_ns
    ended = record.ended_ns or np.iinfo(np.int64).max
    outside = (samples.start_ns < born) | (samples.end_ns > ended)
    by_another = bool(record.planned.generator)
    grain_ns = FOREIGN_GRAIN_NS if by_another else GRAIN_NS
    early = samples.start_ns < samples.intended_ns - grain_ns
    keeps_ticks = _has_ticks(scenario) and not by_another
    known = np.isin(samples.op, [operation.code for operation in operations.values()])
    return ClockFacts(
        backwards=int(np.count_nonzero(samples.end_ns < samples.start_ns)),
        early=int(np.count_nonzero(early)),
        outside=int(np.count_nonzero(outside)),
        off_schedule=_off_schedule(samples, operations, window) if keeps_ticks else 0,
        unknown_operations=int(np.count_nonzero(~known)),
        past_step=_past_step(samples, operations, window) if window.closed else 0,
        before_start=int(np.count_nonzero(samples.start_ns < window.tick0_ns - grain_ns)),
        overlapping=record.overlapping,
        rounded=0 if by_another else _rounded(samples),
        in_no_time=0 if by_another else _in_no_time(samples),
        in_steps=0 if by_another or scenario.observes_faults else _in_steps(samples.end_ns),
    )


def _rounded(samples: Samples) -> int:
    """Count round starts, and round ends, where so many of them are that it is no chance.

    A start at its intended time, which is a round number, favours nobody.
    """
    starts = samples.start_ns[samples.start_ns != samples.intended_ns]
    counts = [
        (int(np.count_nonzero(stamps % _ROUND_NS == 0)), len(stamps))
        for stamps in (starts, samples.end_ns)
    ]
    return sum(n for n, of in counts if of >= _LEAST and n > _ROUND_SHARE * of)


def _in_no_time(samples: Samples) -> int:
    """Count what succeeded and ended when it started, where so much did that it is no chance: a
    clock that counts nanoseconds moves between two looks at it.
    """
    good = samples.status == statuses.OK
    count = int(np.count_nonzero(good & (samples.end_ns == samples.start_ns)))
    return count if count >= _LEAST and count > _ROUND_SHARE * np.count_nonzero(good) else 0


def _in_steps(end_ns: npt.NDArray[np.int64]) -> int:
    """Count ends that are those of a clock that moves in steps of a millisecond or more: it is
    behind by up to a step, which makes operations shorter.
    """
    apart: npt.NDArray[np.float64] = np.diff(np.unique(end_ns)).astype(np.float64)
    if len(apart) < _LEAST:
        return 0
    most = 0
    for step_ns in _STEPS_NS:
        # The host's clock is corrected, and its steps with it.
        steps = np.rint(apart / step_ns)
        whole = apart[steps > 0], steps[steps > 0]
        if len(whole[0]) >= _LEAST:
            missed = np.abs(whole[0] - whole[1] * np.median(whole[0] / whole[1]))
            most = max(most, int(np.count_nonzero(missed <= _STEP_GRAIN_NS)))
    return most if most > _STEP_SHARE * len(apart) else 0


def started_ns(record: TrialRecord, role: str) -> int | None:
    """The time at which the core started a role, or the first process of it, on CLOCK_MONOTONIC;
    None where it does not say.
    """
    said = [process.ready.get("started_ns") for process in record.processes_of(role)]
    return min((int(one) for one in said if one is not None), default=None)


def _past_step(samples: Samples, operations: Mapping[str, Operation], window: Window) -> int:
    """Count what a step began and did not wait for: a worker that ends steps too soon is fast.

    Those of a ramp end by the clock, and wait for nothing.
    """
    if isinstance(window.asked, ClosedSteps) and window.asked.has_time:
        return 0
    counted = [operation.code for operation in operations.values() if operation.due != "join"]
    own, start = np.isin(samples.op, counted), samples.start_ns
    return sum(
        int(np.count_nonzero(own & (start >= begin) & (start < end) & (samples.end_ns > end)))
        for begin, end in window.spans
    )


def _off_schedule(samples: Samples, operations: Mapping[str, Operation], window: Window) -> int:
    off = 0
    for operation in operations.values():
        if operation.due == "join":
            continue
        own = samples.op == operation.code
        lanes = samples.lane[own].astype(np.int64)
        due = window.at_due_ticks(samples.intended_ns[own], operation.every, lanes)
        off += int(np.count_nonzero(~due))
    return off


def _has_ticks(scenario: Scenario) -> bool:
    """A closed loop has none, and an open one without lanes may draw its times at random."""
    return scenario.is_paced or (scenario.is_open and bool(scenario.steps))
