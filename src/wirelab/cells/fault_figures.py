"""Figures of a faults scenario over its trials, by what their callers saw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median

from wirelab.cells.estimate import Estimate
from wirelab.cells.figures import NOT_MEASURED, as_least, of_trials
from wirelab.model.result import TIMEOUT_IGNORED, CallerView


def fault_metrics(views: Sequence[CallerView]) -> dict[str, Estimate]:
    """Medians over the trials; of outages the mean, by which contenders are ranked. Where others
    disturbed the host within such a time, the rest of it is the least that it is.

    Where one trial saw no end of its outage, the others' mean would be of the lucky ones. A call
    that ignores its timeout is there the moment the server is, and has kept its caller from
    everything else until then: that is no merit, so its outage is shown, but is in no rank.
    """
    late = [view.late_ticks for view in views]
    outages = [view.outage_ms for view in views]
    beside = [view.disturbed_ms for view in views]
    ignored = any(view.timeout == "ignored" for view in views)
    known = not ignored and None not in outages
    why = TIMEOUT_IGNORED if ignored else NOT_MEASURED
    return {
        "fault.error.time": _as_known(
            [view.time_to_error_ms for view in views],
            [own.get("error", 0.0) for own in beside],
            lambda times: of_trials(times, median, estimate=False),
        ),
        "fault.block.time": _as_known(
            [view.blocked_ms for view in views],
            [own.get("block", 0.0) for own in beside],
            lambda times: of_trials(times, median, estimate=False),
        ),
        "fault.late.count": of_trials(late, median, estimate=False),
        "fault.outage.time": _as_known(
            outages if known else [],
            [own.get("outage", 0.0) for own in beside] if known else [],
            lambda times: of_trials(times, absent=why),
        ),
    }


def _as_known(
    times: Sequence[float | None],
    disturbed: Sequence[float],
    of: Callable[[Sequence[float | None]], Estimate],
) -> Estimate:
    """The figure of these times; the least that it is where some of a time was disturbed."""
    everything = of(times)
    if not any(disturbed) or everything.value is None:
        return everything
    pairs = zip(times, disturbed, strict=True)
    least = of([None if time is None else max(0.0, time - lost) for time, lost in pairs])
    return replace(as_least(least), uncensored=everything.value)
