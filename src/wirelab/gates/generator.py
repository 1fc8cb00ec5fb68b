"""Gates on the load generator: was it the bottleneck, and how near is its limit?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wirelab.gates.facts import CellFacts, OperationFacts, TrialFacts
from wirelab.model.result import Finding, Verdict
from wirelab.model.suite import Scenario

BUSY = 0.80
"""Share of its processors from which on a generator queues its own work (Hyperfoil's watchdog
stops a run at the same share)."""

DELAY = 0.01
"""Share of the window in which it was runnable but had no processor."""

DELAY_OF_LANES = 0.05
"""The same where a lane waits for each of its answers. The times of all requests add up to the
number under way, integrated over the window (Little's law), so a generator that was kept waiting
for this share of it has made their mean longer by about as much: below, it is a warning. What is
sent late meanwhile is told by its lateness."""

LAG_MS = 10.0
"""p99 of start - intended: sends of an open model wait for nobody, so lateness of this size can
only come from a generator that did not run, however little processor time it seems to use (a
quota or a stopped process leaves no trace in its CPU figures). Where requests of a lane wait for
each other, what a slow server made them wait is left out."""

NEAR = 0.50
"""Share of the ceiling above which the cost of generator or server shows in the figures."""


def generator_saturated(cell: CellFacts) -> Iterator[Finding]:
    """The generator used more than 80 % of its processors, waited for one more than 1 % of the
    window, or sent late: invalid. What was measured then is the generator. Where lanes wait for
    their answers a wait of 1 to 5 % is bounded in what it can have done, and warns.

    The clients of a closed loop that are the contender's own are no generator: they are measured.
    """
    if not cell.scenario.has_generator or not cell.scenario.measures_load:
        return
    measured = cell.scenario.roles[cell.scenario.measured_role]
    if not cell.scenario.is_scheduled and measured.by == "contender":
        return
    evidence = {
        trial.id: signs
        for trial in cell.trials
        if (signs := signs_of(trial, cell.scenario, cell.run.cpus))
    }
    if evidence:
        in_lanes = cell.scenario.is_closed or cell.scenario.waits_in_lanes
        bounded = in_lanes and all(map(_is_bounded, evidence.values()))
        yield Finding(
            gate="generator-saturated",
            verdict=Verdict.WARN if bounded else Verdict.INVALID,
            evidence={"trials": evidence},
            trials=list(evidence),
        )


def _is_bounded(signs: dict[str, float]) -> bool:
    return set(signs) == {"delay_share"} and signs["delay_share"] < DELAY_OF_LANES


def signs_of(trial: TrialFacts, scenario: Scenario, cpus_of_host: int | None) -> dict[str, float]:
    """Signs that the measured role of a trial was at its limit; none when it was not."""
    signs: dict[str, float] = {}
    role = scenario.measured_role
    use, record = trial.roles.get(role), trial.record.roles.get(role)
    if use is not None:
        cpus = len(record.cpus) if record is not None and record.cpus else cpus_of_host or 1
        if use.cpu_cores / cpus > BUSY:
            signs["cpu_share"] = use.cpu_cores / cpus
        if use.delay_share > DELAY:
            signs["delay_share"] = use.delay_share
    lags = [lag for f in trial.operations.values() if (lag := _lag_ms(f)) is not None]
    if lags and max(lags) > LAG_MS:
        signs["lag_p99_ms"] = max(lags)
    return signs


def _lag_ms(facts: OperationFacts) -> float | None:
    own = facts.own_delay_p99_ms
    return facts.delay_p99_ms if own is None else own


def generator_ceiling(cell: CellFacts) -> Iterator[Finding]:
    """The cell is above half of what the rest of the set-up gives at most (a generator against a
    null server, or a server against a reader without a library): warns. That a run does not know
    its ceiling is a remark.
    """
    ceiling = cell.ceiling
    if ceiling is None or not cell.trials or cell.generator:
        return
    metric = cell.metrics.get(ceiling.metric)
    if metric is None or metric.value is None:
        return
    known = ceiling.reached
    evidence: dict[str, Any] = {"metric": ceiling.metric, "value": metric.value, "ceiling": known}
    if known is None:
        yield Finding(gate="generator-ceiling", verdict=Verdict.VALID, evidence=evidence)
    elif metric.value > NEAR * known:
        evidence["share"] = metric.value / known
        yield Finding(gate="generator-ceiling", verdict=Verdict.WARN, evidence=evidence)
