"""An outage as its caller lived through it: blocked calls, late ticks, the end of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wirelab.cells import statuses
from wirelab.cells.trial_files import Samples
from wirelab.model.planned import PlannedTrial
from wirelab.model.result import TimeoutSeen
from wirelab.model.scenario import OPERATION_LIMIT, Scenario
from wirelab.model.span import Span

_REACHED = 0.9
"""Share of the asked timeout from which a call that failed is taken to have met it."""
_GRACE = 0.25
_LEAST_GRACE_NS = 100_000_000
"""Lateness that a timer is allowed on a busy machine: a share of the timeout, and at least this."""

Column = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Outage:
    """Everything since the fault; times in ms."""

    timeout: TimeoutSeen | None
    timeout_ms: float | None
    blocked_ms: float | None
    blocked_ns: Span | None
    """The longest call."""

    late_ticks: int
    outage_ms: float | None


def outage_of(
    samples: Samples,
    planned: PlannedTrial,
    scenario: Scenario,
    *,
    down_ns: int | None,
    open_since_ns: int | None,
    given_up_ns: int,
) -> Outage:
    """The outage that began at ``down_ns``, or somewhere in the trial where nobody knows when.

    ``samples`` are in the order in which they started. A call that never came back was under
    way from ``open_since_ns`` until the worker was given up.
    """
    on_time = _on_time(samples, scenario)
    since = samples.end_ns >= (down_ns or 0)
    affected, kept = samples.where(since), on_time[since]
    late = ~kept & (affected.end_ns - affected.intended_ns > _may_take(affected, scenario))
    waited = affected.end_ns - affected.start_ns
    asked = asked_ns(planned, scenario)
    calls = list(zip(affected.start_ns.tolist(), affected.end_ns.tolist(), strict=True))
    if open_since_ns is not None:
        calls.append((open_since_ns, given_up_ns))
    longest = max(calls, key=lambda call: call[1] - call[0], default=None)
    return Outage(
        timeout=_timeout(affected, waited, asked, scenario, endless=open_since_ns is not None),
        timeout_ms=None if asked is None else asked / 1e6,
        blocked_ms=None if longest is None else (longest[1] - longest[0]) / 1e6,
        blocked_ns=longest,
        late_ticks=len(np.unique(affected.intended_ns[late])),
        outage_ms=None if down_ns is None else _over_after(affected, kept, down_ns),
    )


def asked_ns(planned: PlannedTrial, scenario: Scenario) -> int | None:
    """The time after which a call was asked to give up; None where nothing was asked."""
    name = scenario.call_timeout
    if name == OPERATION_LIMIT:
        return scenario.operation_limit
    value = planned.parameters.get(name, scenario.parameters.get(name))
    return int(value) if isinstance(value, int | float) and value else None


def _may_take(samples: Samples, scenario: Scenario) -> Column:
    """From its intended time: the deadline of each operation, or until it is due again."""
    known = {
        operation.code: operation.deadline or scenario.period * operation.every
        for operation in scenario.operations.values()
    }
    return np.array([known.get(int(code), scenario.period) for code in samples.op], np.int64)


def _on_time(samples: Samples, scenario: Scenario) -> Mask:
    in_time = samples.end_ns - samples.intended_ns <= _may_take(samples, scenario)
    kept: Mask = in_time & (samples.status == statuses.OK)
    return kept


def _timeout(
    samples: Samples,
    waited: Column,
    asked: int | None,
    scenario: Scenario,
    *,
    endless: bool,
) -> TimeoutSeen | None:
    if asked is None:
        return None
    most, limit = _with_grace(asked), scenario.operation_limit
    good = samples.status == statuses.OK
    # What only the worker's own limit ended was not ended by the library.
    ended_by_worker = (waited >= limit) & (limit > most)
    raised = waited[~good & ~ended_by_worker & (waited >= _REACHED * asked)]
    # Whoever raises after twice the time may have been answered shortly before that.
    allowed = max(most, _with_grace(int(raised.max()))) if len(raised) else most
    if endless or np.any(ended_by_worker | (good & (waited > allowed))):
        return "ignored"
    if not len(raised):
        return "not-reached"
    return "late" if raised.max() > most else "fired"


def _with_grace(timeout_ns: int) -> int:
    return timeout_ns + max(int(timeout_ns * _GRACE), _LEAST_GRACE_NS)


def _over_after(affected: Samples, on_time: Mask, down_ns: int) -> float | None:
    """From the fault to the first operation on time that was due after it was felt.

    A caller who did not feel it had no outage.
    """
    felt = affected.intended_ns[~on_time]
    if not len(felt):
        return 0.0
    back = affected.end_ns[on_time & (affected.intended_ns > felt.min())]
    return (int(back.min()) - down_ns) / 1e6 if len(back) else None
