"""Probes as trials: the load of one, and finding it again in the plan of a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from wirelab.model.capacity import PlannedProbe
from wirelab.model.measure import Measure
from wirelab.model.planned import PlannedTrial
from wirelab.model.scenario import Scenario
from wirelab.model.steps import highest_of
from wirelab.plan.goal import Goal
from wirelab.plan.load import planned_load

Key = tuple[int, int, bool]
"""Number, load, and whether it is the second attempt."""


def key_of(probe: PlannedProbe) -> Key:
    """Key that tells a probe from the others of its search."""
    return probe.number, probe.load, probe.again


@dataclass(frozen=True)
class SearchOf:
    """A contender's search, by the place it has in a plan: its first probe, and all there are."""

    first: PlannedTrial
    scenario: Scenario
    measure: Measure
    probes: dict[Key, PlannedTrial]

    @property
    def goal(self) -> Goal:
        """Goal of the search."""
        return goal_of(self.scenario, self.measure)

    def next(self, key: Key, position: int, seed: int) -> PlannedTrial:
        """One more probe, at the end of the plan."""
        number, load, again = key
        changed = {"position": position, "seed": seed}
        return with_load(
            self.first.model_copy(update=changed),
            self.scenario,
            self.measure,
            self._probe(number, load, again),
        )

    def _probe(self, number: int, load: int, again: bool) -> PlannedProbe:
        search = self.first.probe.search if self.first.probe else 0
        most = self.goal.most
        return PlannedProbe(search=search, number=number, load=load, most=most, again=again)


def goal_of(scenario: Scenario, measure: Measure) -> Goal:
    """The goal of every search of a scenario; a ValueError for a scenario that has none."""
    if scenario.capacity is None or measure.probes is None:
        raise ValueError("only a scenario with a capacity is searched")
    capacity = scenario.capacity
    highest = highest_of(capacity, measure)
    return Goal(capacity.lowest, highest, capacity.width, measure.repeats, measure.probes)


def first_probe(
    trial: PlannedTrial, scenario: Scenario, measure: Measure, search: int
) -> PlannedTrial:
    """A trial as the first probe of a search: MLRsearch begins with the highest load."""
    goal = goal_of(scenario, measure)
    probe = PlannedProbe(search=search, number=0, load=goal.highest, most=goal.most)
    return with_load(trial, scenario, measure, probe)


def with_load(
    trial: PlannedTrial, scenario: Scenario, measure: Measure, probe: PlannedProbe
) -> PlannedTrial:
    """A trial with the load of ``probe``, which no other setting of the parameter goes before."""
    if scenario.capacity is None:
        raise ValueError("only a scenario with a capacity has probes")
    parameters = {**trial.parameters, scenario.capacity.parameter: probe.load}
    parts = (trial.scenario, trial.contender, trial.generator, str(probe.load))
    return trial.model_copy(
        update={
            "id": "-".join([f"{trial.position:04d}", *(part for part in parts if part)]),
            "parameters": parameters,
            "load": planned_load(scenario, measure, parameters),
            "probe": probe,
        }
    )


def searches_of(
    plan: Iterable[PlannedTrial], scenario: Scenario, measure: Measure
) -> list[SearchOf]:
    """The searches that a plan (or the trials of one cell) has, in the order of their beginning."""
    found: dict[tuple[str, int], SearchOf] = {}
    for trial in plan:
        if trial.probe is not None:
            key = (trial.cell, trial.probe.search)
            own = found.setdefault(key, SearchOf(trial, scenario, measure, {}))
            own.probes.setdefault(key_of(trial.probe), trial)
    return list(found.values())
