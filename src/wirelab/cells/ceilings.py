"""Ceiling of a load: the highest that reference contenders reached in a scenario."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import median
from typing import Any

from wirelab.cells.cell_figures import Figures
from wirelab.gates.facts import CeilingFacts, main_operation
from wirelab.model.measure import Ceiling
from wirelab.model.planned import PlannedLoad, PlannedLoops, PlannedTrial
from wirelab.model.run import Run
from wirelab.model.scenario import Scenario
from wirelab.model.units import Scalar


def ceiling_of(figures: Figures, others: Iterable[Figures], run: Run) -> CeilingFacts | None:
    """The ceiling of a cell; None where it has none.

    It is found at what the cell is measured at: where services of the suite play roles for a
    contender, with those services, and with parameters that are alike.
    """
    planned = figures.recorded[0].planned
    ceiling = run.scenarios[planned.scenario].ceiling
    if ceiling is None:
        return None
    wanted = _alike(figures, ceiling)
    found = {t.contender for t in run.plan if t.scenario == ceiling.scenario}
    beside = {
        name for name in found if _provided_by(name, run) == _provided_by(planned.contender, run)
    }
    if wanted is None or (found and not beside):
        return None
    reached = [
        metric.value
        for other in others
        if (at := other.recorded[0].planned).scenario == ceiling.scenario
        and at.contender in beside
        and _alike(other, ceiling) == wanted
        and (metric := other.metrics.get(ceiling.metric)) is not None
        and metric.value is not None
        and _kept_up(other, run.scenarios[ceiling.scenario])
    ]
    return CeilingFacts(ceiling.metric, max(reached, default=None))


def null_delay_of(figures: Figures, others: Iterable[Figures], run: Run) -> float:
    """The generator's wait for a processor beside references at the load of a cell: the median of
    their trials; 0 where there are none.
    """
    own, step = figures.recorded[0].planned, figures.recorded[0].step
    role = run.scenarios[own.scenario].measured_role
    waited = [
        trial.roles[role].delay_share
        for other in others
        if other.recorded[0].step == step
        and _is_beside(at := other.recorded[0].planned, own)
        and run.participants[at.contender].manifest.reference
        for trial in other.facts
        if role in trial.roles
    ]
    return median(waited) if waited else 0.0


def _is_beside(one: PlannedTrial, other: PlannedTrial) -> bool:
    """Whether two trials have the same load, made by the same generator."""
    places = [(trial.scenario, trial.variant, trial.generator) for trial in (one, other)]
    return places[0] == places[1]


def _provided_by(contender: str, run: Run) -> Mapping[str, str]:
    return run.participants[contender].manifest.provided_by


def _alike(figures: Figures, ceiling: Ceiling) -> Mapping[str, Any] | None:
    """The parameters that must be the same; None for a whole trial whose steps differ in them."""
    planned, name = figures.recorded[0].planned, figures.recorded[0].step
    steps = _parameters_of_steps(planned.load, name) or [{}]
    own = [{n: {**planned.parameters, **step}.get(n) for n in ceiling.alike} for step in steps]
    return own[0] if all(other == own[0] for other in own) else None


def _parameters_of_steps(load: PlannedLoad, name: str) -> list[dict[str, Scalar]]:
    """Parameters of the step ``name``, or of each step; loops are the same in all steps."""
    if isinstance(load, PlannedLoops):
        return []
    return [step.parameters for step in load.steps if name in ("", step.name)]


def _kept_up(figures: Figures, scenario: Scenario) -> bool:
    """Whether it was reached without letting the queue grow.

    Nothing may be lost, and the median of the main operation must stay below the period of the
    schedule. A closed loop has no queue.
    """
    name = main_operation(scenario, figures.recorded[0].planned.operations)
    limit_ms = float("inf") if not scenario.is_scheduled else scenario.period / 1e6
    for trial in figures.facts:
        median_ms = trial.operations[name].median_ms
        if median_ms is None or median_ms > limit_ms:
            return False
        if any(facts.failed for facts in trial.operations.values()):
            return False
    return True
