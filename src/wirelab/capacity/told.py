"""Probes and searches in a line each, for terminals and logs."""

from __future__ import annotations

from wirelab.model.capacity import Measured, Probe, Search
from wirelab.model.planned import PlannedTrial

_NOT_KNOWN = {
    "generator": "the generator was at its limit",
    "host": "other programs disturbed the host",
}


def probe_line(trial: PlannedTrial, probe: Probe) -> str:
    """``probe 3 of at most 20: 216 did not hold: echo.response.p99 = 212 ms, bound ≤ 100 ms``."""
    planned = trial.probe
    number = f"probe {planned.number + 1} of at most {planned.most}: " if planned else ""
    if probe.outcome == "held":
        return f"{number}{probe.load} held"
    return f"{number}{probe.load} did not hold: {reason_of(probe)}"


def reason_of(probe: Probe) -> str:
    """The reason why a probe did not hold: a bound or its trial's failure, and who else failed."""
    broken = probe.broken
    why = figure_of(broken) if broken and broken.metric == probe.reason else probe.reason
    if probe.detail:
        why = f"{why} ({probe.detail})"
    return "; ".join(part for part in (why, _NOT_KNOWN.get(probe.outcome, "")) if part)


def figure_of(measured: Measured) -> str:
    """``echo.response.p99 = 212 ms, bound ≤ 100 ms``."""
    unit = f" {measured.unit}" if measured.unit else ""
    value = "not measured" if measured.value is None else f"= {measured.value:.6g}{unit}"
    name = measured.stand_in or measured.metric
    return f"{name} {value}, bound {measured.sign} {measured.limit:g}{unit}"


def search_line(found: Search) -> str:
    """``1232 held, 1297 did not: …``."""
    why = f": {reason_of(found.decisive)}" if found.decisive else ""
    ended = {
        "probes": "; no more probes were allowed",
        "unfinished": "; the search was not finished",
    }.get(found.ending, "")
    if found.verified is None:
        return f"no load held, the lowest that failed is {found.failed}{why}{ended}"
    if found.failed is None:
        return f"at least {found.verified}, the highest load that was asked for{ended}"
    least = "at least " if found.is_at_least else ""
    return f"{least}{found.verified} held, {found.failed} did not{why}{ended}"
