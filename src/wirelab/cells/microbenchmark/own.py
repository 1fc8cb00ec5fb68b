"""Metrics of the suite's own, as its judge gave them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wirelab.cells.estimate import UnknownMetricError, metrics_of
from wirelab.cells.figures import of_trials
from wirelab.cells.microbenchmark.measured import MeasuredMicrobenchmark
from wirelab.metrics.catalogue import CORE
from wirelab.model.metrics import OwnMetric
from wirelab.model.result import Metric
from wirelab.model.scenario import Scenario


def own_metrics(
    trials: Sequence[MeasuredMicrobenchmark],
    scenario: Scenario,
    declared: Mapping[str, OwnMetric] | None,
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
