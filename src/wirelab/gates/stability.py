"""Gates over the trials of a cell, and over the order of the run."""

from __future__ import annotations

from collections.abc import Iterator

from scipy import stats

from wirelab.gates.facts import CellFacts, main_operation
from wirelab.model.result import Finding, Verdict
from wirelab.model.suite import Scenario
from wirelab.stats.trials import variation

ORDER_P = 0.01
"""Kendall's test is exact and needs no distribution; below six trials it cannot reach this."""


def is_unstable(scenario: Scenario, trial_means: list[float]) -> bool:
    """Whether the means of the trials vary too much: cv >= the scenario's ``bounds.cv``."""
    cv = variation(trial_means)
    return scenario.measures_load and cv is not None and cv >= scenario.bounds.cv


def unstable(cell: CellFacts) -> Iterator[Finding]:
    """cv of the trial means of the main operation at or above ``bounds.cv``: invalid.

    The rule of the published comparison this tool began with (15 %); the core adds trials
    first, so this speaks when they did not help.
    """
    name = main_operation(cell.scenario, cell.planned[0].operations)
    means = {
        trial.id: mean
        for trial in cell.trials
        if name in trial.operations and (mean := trial.operations[name].mean_ms) is not None
    }
    if is_unstable(cell.scenario, list(means.values())):
        evidence = {
            "operation": name,
            "cv": variation(list(means.values())),
            "bound": cell.scenario.bounds.cv,
            "means_ms": means,
            "reruns": sum(trial.record.planned.rerun for trial in cell.trials),
        }
        yield Finding(
            gate="unstable", verdict=Verdict.INVALID, evidence=evidence, trials=list(means)
        )


def order_bias(cell: CellFacts) -> Iterator[Finding]:
    """A trend of the trials' means over their place in the run (all cells of the scenario,
    each over its own mean), Kendall p < 0.01: the host drifted while the run went on. Warns.
    """
    if not cell.scenario.measures_load or not cell.trials:
        return
    placed = cell.run.placed_means.get(cell.scenario_name, ())
    if len(placed) < 3:
        return
    result = stats.kendalltau([place for place, _ in placed], [mean for _, mean in placed])
    if result.pvalue < ORDER_P:
        evidence = {
            "tau": float(result.statistic),
            "p": float(result.pvalue),
            "trials": len(placed),
            "first": placed[0][1],
            "last": placed[-1][1],
        }
        yield Finding(gate="order-bias", verdict=Verdict.WARN, evidence=evidence)
