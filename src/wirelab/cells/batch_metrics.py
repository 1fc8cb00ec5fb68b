"""The metrics of a step of batches, by their stable dotted names.

``<operation>.time`` is the time of one round in ns: the median over the fresh processes of each
one's median batch, with Student's t over processes as its interval. Batches are flagged when they
lie far from the others of their process and never left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from wirelab.cells.batches import Loop, MeasuredBatches
from wirelab.cells.estimate import Estimate, UnknownMetricError, metrics_of
from wirelab.cells.figures import NOT_MEASURED, of_trials
from wirelab.metrics.catalogue import CORE
from wirelab.model.metrics import OwnMetric
from wirelab.model.result import Metric
from wirelab.model.scenario import Scenario

NOT_OFFERED = "not-offered"
FAILED = "failed"

Trials = Sequence[MeasuredBatches]


def batch_metrics(
    trials: Trials, scenario: Scenario, operations: Sequence[str]
) -> dict[str, Estimate]:
    """Figures of every timed operation of a step."""
    metrics: dict[str, Estimate] = {}
    for name in operations:
        if scenario.operations[name].record == "batches":
            metrics |= _of_loops(name, [trial.loops.get(name) for trial in trials])
    return metrics


def judged_metrics(
    trials: Trials, scenario: Scenario, declared: Mapping[str, OwnMetric] | None
) -> dict[str, Metric]:
    """Metrics that the suite's judge gave; of a run that is older than their declaration in the
    units that it said."""
    figures = [trial.judged.figures for trial in trials]
    estimates, units = {}, {}
    for name in dict.fromkeys(name for own in figures for name in own):
        values = [own[name][0] if name in own else None for own in figures]
        # The same answers give the same figures: one that differs shows in the trials' values.
        estimates[name] = of_trials(values, max, estimate=False)
        units[name] = next(own[name][1] for own in figures if name in own)
    if declared is None:
        return {name: one.in_unit(units[name]) for name, one in estimates.items()}
    metrics = metrics_of(estimates, scenario, CORE.with_own(declared))
    if other := [name for name, metric in metrics.items() if metric.unit != units[name]]:
        raise UnknownMetricError(f"judged in another unit than declared: {', '.join(other)}")
    return metrics


def _of_loops(name: str, loops: Sequence[Loop | None]) -> dict[str, Estimate]:
    had = [loop for loop in loops if loop is not None]
    times = [loop.round_ns if loop else None for loop in loops]
    time = of_trials(times, _median, absent=why_none(had))
    if time.value is not None:
        time = replace(time, n=sum(len(loop.measured) for loop in had))
    metrics = {f"{name}.time": time}
    if time.value is None:
        return metrics
    metrics[f"{name}.allocated"] = of_trials(
        [loop.allocated if loop else None for loop in loops], _median, estimate=False
    )
    metrics[f"{name}.gc.share"] = of_trials(
        [_percent(loop.paused) if loop else None for loop in loops]
    )
    metrics[f"{name}.warmup"] = of_trials(
        [loop.warmup_seconds if loop else None for loop in loops], max, estimate=False
    )
    metrics[f"{name}.outlier.count"] = of_trials(
        [loop.outliers if loop else None for loop in loops], sum, estimate=False
    )
    return metrics


def why_none(had: Sequence[Loop]) -> str:
    """Code of why an operation has no figure, by what the trials have of it."""
    if any(loop.failure for loop in had):
        return FAILED
    return NOT_MEASURED if had else NOT_OFFERED


def _percent(share: float | None) -> float | None:
    return None if share is None else share * 100


def _median(values: Sequence[float]) -> float:
    return float(np.median(values))
