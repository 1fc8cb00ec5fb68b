"""A caller's view of a trial of a faults scenario: error, silence, hang, recovery.

Driven by what the variant expects and by the faults as they were carried out; knows no suite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from wirelab.cells import statuses
from wirelab.cells.outage import Outage, outage_of
from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.trial_files import Samples
from wirelab.model.planned import PlannedSchedule, PlannedTrial
from wirelab.model.result import CallerView
from wirelab.model.scenario import Scenario
from wirelab.model.span import Span
from wirelab.model.trial import AppliedFault, TrialRecord
from wirelab.monitor.foreign import disturbed_windows
from wirelab.monitor.look import PERIOD_NS
from wirelab.stats.disturbed import disturbed_time

_LAST = 5
"""Operations that tell whether good answers stayed: one that others on the host delayed beyond its
limit does not decide alone."""

Outcome = Literal["error", "item-error", "silent", "hang", "recovered", "not-recovered", "ok"]

HANG_REASONS = ("ignored-stop",)
"""Trials that failed for one of these still show what the caller saw: a call without end."""


@dataclass(frozen=True)
class _Trial:
    """A faults trial with its samples in the order they started."""

    planned: PlannedTrial
    record: TrialRecord
    scenario: Scenario
    samples: Samples
    errors: Sequence[dict[str, Any]]  # since the fault, in order

    @property
    def expects(self) -> str | None:
        """The reaction that the variant is to bring about."""
        variant = self.scenario.variants.get(self.planned.variant)
        return variant.expects if variant else None


def caller_view(trial: RecordedTrial, scenario: Scenario) -> CallerView | None:
    """The caller's view of a trial; None when it never began."""
    if trial.record is None or trial.record.tick0_ns is None or not trial.files.has_samples:
        return None
    samples = trial.files.samples
    samples = samples.where(np.argsort(samples.start_ns, kind="stable"))
    down = _went_down(trial.record)
    seen = _Trial(trial.planned, trial.record, scenario, samples, _errors(trial, down))
    failed = samples.where(samples.status != statuses.OK)
    shown = _shown_error(seen)
    outage = _outage(seen, down)
    back_ms = outage.outage_ms if outage and _recovered(seen) else None
    error = _until_error(failed, down)
    disturbed = _disturbed(
        trial,
        error=error,
        block=outage.blocked_ns if outage else None,
        outage=None if back_ms is None or down is None else (down, down + round(back_ms * 1e6)),
    )
    return CallerView(
        trial=trial.planned.id,
        outcome=_outcome(seen, failed),
        error_class=str(shown.get("class", "")),
        error_status=str(shown.get("status", "")),
        error_message=str(shown.get("message", "")),
        scope=str(shown.get("scope", "")),
        time_to_error_ms=None if error is None else (error[1] - error[0]) / 1e6,
        timeout=outage.timeout if outage else None,
        timeout_ms=outage.timeout_ms if outage else None,
        blocked_ms=outage.blocked_ms if outage else None,
        late_ticks=outage.late_ticks if outage else None,
        outage_ms=back_ms,
        disturbed_ms=disturbed,
        failed_operations=len(failed),
        good_items=_good_items(seen, failed),
    )


def _went_down(record: TrialRecord) -> int | None:
    """The time at which a role was first stopped or killed under the caller's eyes."""
    tick0 = record.tick0_ns or 0
    times = [f.monotonic_ns for f in record.faults if f.action in ("stop", "kill")]
    return min((at for at in times if at >= tick0), default=None)


def _came_back(faults: Sequence[AppliedFault]) -> int | None:
    """The time at which the last role had come back: continued, or restarted and ready."""
    times = [
        f.monotonic_ns if f.action == "continue" else f.ready_ns
        for f in faults
        if f.action in ("continue", "restart")
    ]
    known = [at for at in times if at is not None]
    return max(known) if known and len(known) == len(times) else None


def _errors(trial: RecordedTrial, since: int | None) -> list[dict[str, Any]]:
    record = trial.record
    processes = record.processes_of(trial.files.role) if record else []
    errors = [error for process in processes for error in process.errors]
    return [e for e in errors if since is None or (e.get("monotonic_ns") or since) >= since]


def _shown_error(seen: _Trial) -> dict[str, Any]:
    """The first error; the first one about an item where that is what the variant expects."""
    wanted = [e for e in seen.errors if e.get("scope") == "item"]
    if seen.expects == "item-error" and wanted:
        return wanted[0]
    return seen.errors[0] if seen.errors else {}


def _outcome(seen: _Trial, failed: Samples) -> Outcome:
    if _hung(seen):
        return "hang"
    if seen.expects == "recovery":
        return "recovered" if _recovered(seen) else "not-recovered"
    said_item = any(error.get("scope") == "item" for error in seen.errors)
    if said_item or bool(np.any(failed.status == statuses.ITEM_ERROR)):
        return "item-error"
    if len(failed) or seen.errors:
        return "error"
    return "silent" if seen.expects in ("call-error", "item-error") else "ok"


def _hung(seen: _Trial) -> bool:
    """A call took as long as the worker lets any call take, or never came back at all.

    In an open loop nobody waits in a call: an answer that never came is lost.
    """
    limit, samples = seen.scenario.operation_limit, seen.samples
    if seen.record.reason in HANG_REASONS:
        return True
    if seen.scenario.is_open:
        return False
    return bool(np.any(samples.end_ns - samples.start_ns >= limit)) or _never_came_back(seen)


def _never_came_back(seen: _Trial) -> bool:
    """A due operation has no record, and the worker completed nothing for ``operation_limit``
    before its end. One that is merely behind (a timeout at every tick, say) goes on completing.
    """
    idle = (seen.record.ended_ns or 0) - _last_end(seen)
    load = seen.planned.load
    due = (
        isinstance(load, PlannedSchedule) and len(np.unique(seen.samples.intended_ns)) < load.count
    )
    return due and idle >= seen.scenario.operation_limit


def _last_end(seen: _Trial) -> int:
    ends = seen.samples.end_ns
    return int(ends.max()) if len(ends) else seen.record.tick0_ns or 0


def _outage(seen: _Trial, down: int | None) -> Outage | None:
    """The outage of a variant that a caller is to come through."""
    if seen.expects != "recovery":
        return None
    waits = not seen.scenario.is_open and _never_came_back(seen)
    return outage_of(
        seen.samples,
        seen.planned,
        seen.scenario,
        down_ns=down,
        open_since_ns=_last_end(seen) if waits else None,
        given_up_ns=seen.record.ended_ns or 0,
    )


def _disturbed(
    trial: RecordedTrial,
    *,
    error: Span | None,
    block: Span | None,
    outage: Span | None,
) -> dict[Literal["error", "block", "outage"], float]:
    """Parts of these times (ms) in which others disturbed the host, where they did.

    What queued up behind the others is not told from what queued up behind the fault, so that
    nothing is added to their windows but the time in which an end of them is not known.
    """
    if not trial.files.host:
        return {}
    windows = disturbed_windows(**trial.files.host)
    none = np.empty(0, dtype=np.int64)
    others = disturbed_time(windows, none, none, period=PERIOD_NS, limit=0, in_lanes=True)
    spans: dict[Literal["error", "block", "outage"], Span | None] = {
        "error": error,
        "block": block,
        "outage": outage,
    }
    lengths = {
        name: (span[1] - span[0] - others.quiet_ns(*span)) / 1e6
        for name, span in spans.items()
        if span is not None
    }
    return {name: length for name, length in lengths.items() if length > 0}


def _until_error(failed: Samples, down: int | None) -> Span | None:
    """From the fault, or from the call's start where there was none, to the first failure."""
    if down is not None:
        failed = failed.where(failed.end_ns >= down)
    if not len(failed):
        return None
    first = int(np.argmin(failed.end_ns))
    since = down if down is not None else int(failed.start_ns[first])
    return since, int(failed.end_ns[first])


def _good_since(seen: _Trial) -> int | None:
    """End of the first good operation that ended after everything was back."""
    back = _came_back(seen.record.faults)
    if back is None:
        return None
    good = seen.samples.end_ns[(seen.samples.status == statuses.OK) & (seen.samples.end_ns > back)]
    return int(good.min()) if len(good) else None


def _recovered(seen: _Trial) -> bool:
    """Good answers came back and stayed: most of the last operations were good ones too.

    When a fault that a server makes by itself is over, nobody knows here: the last ones tell.
    """
    if seen.planned.faults and _good_since(seen) is None:
        return False
    last = seen.samples.status[-_LAST:]
    return 2 * int(np.count_nonzero(last == statuses.OK)) > len(last)


def _good_items(seen: _Trial, failed: Samples) -> bool | None:
    """Whether a bad item left the others of its batch alone.

    The contract's status ``item-error`` says that the call itself succeeded; any other failure
    took the whole request with it.
    """
    if seen.expects != "item-error" or not len(failed):
        return None
    return bool(np.all(failed.status == statuses.ITEM_ERROR))
