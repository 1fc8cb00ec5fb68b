"""Metrics that a manifest declares, and those it names: each one has to be told of its scenario."""

from __future__ import annotations

import difflib
from collections.abc import Collection

from wirelab.manifest.names import must_exist
from wirelab.manifest.problems import Findings, Key
from wirelab.metrics.catalogue import CORE, Catalogue
from wirelab.metrics.definition import Named
from wirelab.metrics.pattern import Slot
from wirelab.model.scenario import Scenario
from wirelab.model.suite import Suite


def of_suite(suite: Suite) -> Findings:
    """Metrics of the suite's own that are none, and names of metrics that no scenario has."""
    for key in suite.metrics:
        yield from _own(("metrics", key), key, suite)
    catalogue = CORE.with_own(suite.metrics)
    for name, scenario in suite.scenarios.items():
        place: Key = ("scenarios", name)
        for operation in scenario.operations:
            if operation in catalogue.subjects:
                said = f"{operation} is a word of metrics and cannot name an operation"
                yield (*place, "operations", operation), said
        yield from _ranked_and_bound(place, scenario, catalogue)
        yield from _ceiling((*place, "ceiling", "metric"), scenario, suite, catalogue)


def must_be_told(key: Key, metric: str, scenario: Scenario, catalogue: Catalogue) -> Findings:
    """A finding unless the scenario may have a metric of this name."""
    known = catalogue.of(scenario)
    if metric in known:
        return
    named = catalogue.named(metric, scenario.roles)
    if named is None or not _knows_subject(named, scenario):
        yield from must_exist(key, "metric", metric, meant(metric, known))
        return
    marks = scenario.operations[named.subject].marks if Slot.MARK in named.slots else []
    if marks and named.definition.told.scenarios(scenario):
        yield from must_exist(key, f"mark of {named.subject}", named.level, list(map(str, marks)))
    else:
        yield key, f"{metric} is no metric here: it is told of {named.definition.told.of}"


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


def _ranked_and_bound(place: Key, scenario: Scenario, catalogue: Catalogue) -> Findings:
    known = catalogue.of(scenario)
    for number, ranking in enumerate(scenario.rankings):
        key = (*place, "rankings", number)
        yield from must_be_told((*key, "metric"), ranking.metric, scenario, catalogue)
        if ranking.metric in known and "better" not in ranking.model_fields_set:
            written = f'{{ metric = "{ranking.metric}", better = "lower" }}, or "higher"'
            yield key, f"no way of it is known to be better: write {written}"
    for number, bound in enumerate(scenario.capacity.bounds if scenario.capacity else []):
        key = (*place, "capacity", "bounds", number, "metric")
        yield from must_be_told(key, bound.metric, scenario, catalogue)


def _ceiling(key: Key, scenario: Scenario, suite: Suite, catalogue: Catalogue) -> Findings:
    """Both sides of the comparison need the metric; what is wrong is said once."""
    if (ceiling := scenario.ceiling) is not None and ceiling.scenario in suite.scenarios:
        sides = (scenario, suite.scenarios[ceiling.scenario])
        found = [f for one in sides for f in must_be_told(key, ceiling.metric, one, catalogue)]
        yield from found[:1]


def _knows_subject(named: Named, scenario: Scenario) -> bool:
    operation, role = named.slots.get(Slot.OPERATION), named.slots.get(Slot.ROLE)
    return operation in (None, *scenario.operations) and role in (None, *scenario.roles)
