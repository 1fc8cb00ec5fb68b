"""Scenarios and metrics that a suite's ``published.toml`` names. The report reads the rest of the
file.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from pydantic import BaseModel, ValidationError

from wirelab.manifest.metrics import ScenarioMetrics, meant
from wirelab.manifest.names import must_exist
from wirelab.manifest.problems import Findings, Key
from wirelab.metrics.catalogue import CORE
from wirelab.model.suite import Suite

COSTS = "own."
"""Prefix of the names of costs of owning, which are no metrics."""


class _Rule(BaseModel):
    scenario: str = ""
    otherwise: str = ""
    metric: str = ""
    operation: str = ""


class _Claim(BaseModel):
    rules: list[_Rule] = []


class _Row(BaseModel):
    metric: str = ""


class _Field(BaseModel):
    metrics: list[str] = []


class _Named(BaseModel):
    """The parts of the file that name scenarios and metrics."""

    claims: list[_Claim] = []
    summary: list[_Row] = []
    fields: list[_Field] = []


def of_suite(data: Mapping[str, Any], suite: Suite) -> Findings:
    """Names of scenarios and metrics that the suite, or the scenario of a rule, does not have."""
    try:
        named = _Named.model_validate(data)
    except ValidationError:
        return  # the report's own reading of the file says what is wrong with its shape
    catalogue = CORE.with_own(suite.metrics)
    scenarios = {
        name: ScenarioMetrics(scenario, catalogue) for name, scenario in suite.scenarios.items()
    }
    for at, claim in enumerate(named.claims):
        for number, rule in enumerate(claim.rules):
            yield from _of_rule(("claims", at, "rules", number), rule, scenarios)
    every = sorted({key for own in scenarios.values() for key in own.known})
    for at, row in enumerate(named.summary):
        if not row.metric.startswith(COSTS):
            known = every if row.metric in every else meant(row.metric, every)
            yield from must_exist(("summary", at, "metric"), "metric", row.metric, known)
    for at, field in enumerate(named.fields):
        for number, pattern in enumerate(field.metrics):
            if not any(fnmatchcase(key, pattern) for key in every):
                place = ("fields", at, "metrics", number)
                yield from must_exist(place, "metric", pattern, meant(pattern, every))


def _of_rule(place: Key, rule: _Rule, known: Mapping[str, ScenarioMetrics]) -> Findings:
    """Names that a rule of figures has wrong: its figures are of either of two scenarios, and both
    need the metric. What is wrong with that is said once.
    """
    named = [("scenario", rule.scenario)] if rule.scenario or rule.metric else []
    if rule.otherwise:
        named.append(("otherwise", rule.otherwise))
    for key, name in named:
        yield from must_exist((*place, key), "scenario", name, known)
    there = [known[name] for _key, name in named if name in known]
    if rule.operation and there:
        operations = there[0].scenario.operations
        yield from must_exist((*place, "operation"), "operation", rule.operation, operations)
    if not rule.metric:
        return
    lacking = [list(one.must_have((*place, "metric"), rule.metric)) for one in there]
    yield from next(filter(None, lacking), [])
