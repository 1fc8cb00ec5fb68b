"""Sync calls to an operation: how often a role asked the disk for what it had written."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.cells.estimate import Estimate
from wirelab.cells.figures import of_trials, total
from wirelab.cells.measured import MeasuredTrial
from wirelab.model.scenario import Scenario


def sync_metrics(
    trials: Sequence[MeasuredTrial], scenario: Scenario, operations: Sequence[str], step: str
) -> dict[str, Estimate]:
    """Metrics of operations that are due at ticks: calls to each good one, counted and not
    sampled, so without an interval; and those that failed.
    """
    metrics: dict[str, Estimate] = {}
    for name in operations:
        if scenario.operations[name].due != "tick":
            continue
        found = [_calls_to_each(trial, scenario.syncs_of, name, step) for trial in trials]
        metrics[f"{name}.syncs"] = of_trials(found, estimate=False)
        metrics[f"{name}.error.count"] = total([t.facts.operations[name].failed for t in trials])
    return metrics


def _calls_to_each(trial: MeasuredTrial, role: str, name: str, step: str) -> float | None:
    record = trial.facts.record.roles.get(role)
    good = trial.facts.operations[name].statuses.get("ok", 0)
    if record is None or not record.syncs or not good:
        return None
    return record.syncs.get(step, sum(record.syncs.values())) / good
