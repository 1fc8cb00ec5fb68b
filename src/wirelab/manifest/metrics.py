"""Metrics that a manifest declares, and those it names: each one has to be told of its scenario."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from wirelab.manifest.names import must_exist
from wirelab.manifest.problems import Findings, Key
from wirelab.metrics.catalogue import CORE, Catalogue
from wirelab.metrics.definition import Named
from wirelab.metrics.pattern import Slot
from wirelab.model.scenario import Scenario
from wirelab.model.suite import Suite


@dataclass(frozen=True)
class ScenarioMetrics:
    """The metrics that a scenario may have, found once for all who name one."""

    scenario: Scenario
    catalogue: Catalogue

    @cached_property
    def known(self) -> dict[str, Named]:
        """Every one, by its key."""
        return self.catalogue.of(self.scenario)

    def must_have(self, key: Key, metric: str) -> Findings:
        """A finding unless the scenario may have a metric of this name."""
        if metric in self.known:
            return
        named = self.catalogue.named(metric, self.scenario.roles)
        if named is None or not _knows_subject(named, self.scenario):
            yield from must_exist(key, "metric", metric, meant(metric, self.known))
            return
        operations, told = self.scenario.operations, named.definition.told
        marks = operations[named.subject].marks if Slot.MARK in named.slots else []
        if marks and told.scenarios(self.scenario):
            marked = f"mark of {named.subject}"
            yield from must_exist(key, marked, named.level, list(map(str, marks)))
        else:
            yield key, f"{metric} is no metric here: it is told of {told.of}"


def of_suite(suite: Suite) -> Findings:
    """Metrics of the suite's own that are none, and names of metrics that no scenario has."""
    for key in suite.metrics:
        yield from _own(("metrics", key), key, suite)
    catalogue = CORE.with_own(suite.metrics)
    known = {
        name: ScenarioMetrics(scenario, catalogue) for name, scenario in suite.scenarios.items()
    }
    for name, scenario in suite.scenarios.items():
        place: Key = ("scenarios", name)
        for operation in scenario.operations:
            if operation in catalogue.subjects:
                said = f"{operation} is a word of metrics and cannot name an operation"
                yield (*place, "operations", operation), said
        yield from _ranked_and_bound(place, known[name])
        yield from _ceiling((*place, "ceiling", "metric"), name, known)


def meant(metric: str, known: Collection[str]) -> Collection[str]:
    """The nearest name, of the same subject where it has any; else those, or all subjects."""
    subjects = dict.fromkeys(name.partition(".")[0] for name in known)
    subject = metric.partition(".")[0]
    alike = [name for name in known if subject in subjects and name.startswith(f"{subject}.")]
    near = difflib.get_close_matches(metric, alike or known, n=1)
    return near or alike or [f"{name}.…" for name in subjects]


def _own(place: Key, key: str, suite: Suite) -> Findings:
    if CORE.named(key) is not None:
        yield place, "a metric of wirelab's own has this name or its shape"
    subject = key.partition(".")[0]
    if any(subject in scenario.roles for scenario in suite.scenarios.values()):
        yield place, f"{subject} is a role, and the figures of roles are wirelab's own"


def _ranked_and_bound(place: Key, own: ScenarioMetrics) -> Findings:
    scenario = own.scenario
    for number, ranking in enumerate(scenario.rankings):
        key = (*place, "rankings", number)
        yield from own.must_have((*key, "metric"), ranking.metric)
        if ranking.metric in own.known and "better" not in ranking.model_fields_set:
            written = f'{{ metric = "{ranking.metric}", better = "lower" }}, or "higher"'
            yield key, f"no way of it is known to be better: write {written}"
    for number, bound in enumerate(scenario.capacity.bounds if scenario.capacity else []):
        yield from own.must_have((*place, "capacity", "bounds", number, "metric"), bound.metric)


def _ceiling(key: Key, name: str, known: Mapping[str, ScenarioMetrics]) -> Findings:
    """Both sides of the comparison need the metric; what is wrong is said once."""
    if (ceiling := known[name].scenario.ceiling) is not None and ceiling.scenario in known:
        sides = (known[name], known[ceiling.scenario])
        found = [f for one in sides for f in one.must_have(key, ceiling.metric)]
        yield from found[:1]


def _knows_subject(named: Named, scenario: Scenario) -> bool:
    operation, role = named.slots.get(Slot.OPERATION), named.slots.get(Slot.ROLE)
    return operation in (None, *scenario.operations) and role in (None, *scenario.roles)
