"""Metrics of exact counts: what was expected and received, lost, doubled, out of order."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.cells.closed import NEVER_REACHED, fairness
from wirelab.cells.estimate import Estimate
from wirelab.cells.figures import of_trials, share, total
from wirelab.cells.flow import COUNTED
from wirelab.cells.measured import MeasuredTrial
from wirelab.cells.resource_metrics import contender_cpu_seconds, role_cpu_seconds
from wirelab.model.parts import Operation
from wirelab.model.scenario import Scenario

Trials = Sequence[MeasuredTrial]

_COUNTED = {
    "expected": "expected",
    "received": "received",
    "duplicates": "duplicate",
    "redelivered": "redelivered",
    "reordered": "reorder",
    "shed": "shed",
    "wrong": "wrong",
    "dropped": "drop",
    "silent": "silent",
    "ended": "ended",
    "pings_quoted": "ping.quoted",
    "pings_misquoted": "ping.misquoted",
    "invalid_named": "invalid.named",
    "invalid_ended": "invalid.ended",
    "invalid_kept": "invalid.kept",
    "invalid_spread": "invalid.spread",
}
"""Counts of the interval file, and the metrics that show their sums over all trials."""

_WAITED = "waited_ms"
"""Milliseconds from the silence of users until their connections ended, of all of them."""

_USER = "user."
"""Beginning of the names under which single users are counted, before their number."""


def count_metrics(
    name: str, trials: Trials, operation: Operation, scenario: Scenario
) -> dict[str, Estimate]:
    """Metrics of the counts of one operation."""
    facts = [trial.facts.operations[name] for trial in trials]
    metrics = {}
    for counted, figure in _COUNTED.items():
        if any(counted in f.counts for f in facts):
            values = [f.counts.get(counted, 0) for f in facts]
            metrics[f"{name}.{figure}.count"] = total(values)
    if any(_WAITED in f.counts for f in facts):
        ends = [(f.counts.get(_WAITED, 0), 1000 * f.counts.get("ended", 0)) for f in facts]
        metrics[f"{name}.ended.after"] = of_trials(_ratios(ends), absent=NEVER_REACHED)
    by_user = [[n for key, n in f.counts.items() if key.startswith(_USER)] for f in facts]
    if any(by_user):
        even = [fairness(each, len(each)) for each in by_user]
        metrics[f"{name}.evenness"] = of_trials(even, absent=NEVER_REACHED)
    if operation.record == "intervals":
        metrics |= _delivered(name, trials, operation, scenario)
    return metrics


def _delivered(
    name: str, trials: Trials, operation: Operation, scenario: Scenario
) -> dict[str, Estimate]:
    facts = [trial.facts.operations[name] for trial in trials]
    expected = [f.counts.get("expected", 0) for f in facts]
    received = [f.counts.get("received", 0) for f in facts]
    shed = [f.counts.get("shed", 0) for f in facts]
    lost = [e - r - s for e, r, s in zip(expected, received, shed, strict=True)]
    traffic = [f.counts.get("bytes", 0) / 1e6 / f.seconds for f in facts]
    peaks = [f.peak_payload / 1e6 for f in facts]
    items_received = [count * operation.items for count in received]
    per_cpu = _each(items_received, contender_cpu_seconds(trials, scenario))
    metrics = {
        f"{name}.loss.count": total(lost),
        f"{name}.loss.ratio": share(lost, expected),
        f"{name}.traffic": of_trials(traffic),
        f"{name}.traffic.max": of_trials(peaks, max, estimate=False),
        f"{name}.per.cpu": of_trials(per_cpu),
    }
    if any(shed):
        metrics[f"{name}.shed.ratio"] = share(shed, expected)
    if all("wire" in f.counts for f in facts):
        wire = _ratios([(f.counts["wire"], f.counts.get("payload", 0)) for f in facts])
        metrics[f"{name}.wire.ratio"] = of_trials(wire)
    for way, counted in COUNTED.items():
        if all(counted in f.counts for f in facts):
            flow = [f.counts[counted] / 1e6 / f.seconds for f in facts]
            metrics[f"{name}.network.{way}"] = of_trials(flow)
    if scenario.has_generator:
        generator = role_cpu_seconds(trials, scenario.measured_role)
        own = _each(items_received, generator)
        metrics[f"{scenario.measured_role}.per.cpu"] = of_trials(own)
    return metrics


def _ratios(counted: Sequence[tuple[int, int]]) -> list[float | None]:
    return [part / whole if whole else None for part, whole in counted]


def _each(done: Sequence[int], seconds: Sequence[float | None]) -> list[float | None]:
    return [n / cpu if cpu else None for n, cpu in zip(done, seconds, strict=True)]
