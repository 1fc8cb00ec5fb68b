"""Parameters of manifests: declared once, and of the type and within the bounds declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wirelab.manifest.names import must_exist
from wirelab.manifest.problems import Findings, Key
from wirelab.model.contender import Contender
from wirelab.model.load import Paced
from wirelab.model.parameters import OF_THE_CORE, Parameter
from wirelab.model.scenario import Scenario
from wirelab.model.suite import Suite
from wirelab.model.units import Scalar


def of_suite(suite: Suite) -> Findings:
    """Declarations that cannot be, and values of scenarios that nobody declared so."""
    yield from _declared(suite.parameters)
    known = {name: p for name, p in suite.parameters.items() if p.by == "scenario"}
    for name, scenario in suite.scenarios.items():
        for place, values in _values(scenario):
            yield from _given(("scenarios", name, *place, "parameters"), values, known)
        load = scenario.load
        if isinstance(load, Paced) and load.hours is not None:
            numbers = {n for n, one in known.items() if one.type in ("whole", "number")}
            key: Key = ("scenarios", name, "load", "hours")
            yield from must_exist(key, "parameter that is a number", load.hours, numbers)


def of_contender(contender: Contender, suite: Suite | None) -> Findings:
    """Declarations and tuning of a contender, of ``suite`` where that is known."""
    yield from _declared(contender.parameters)
    if suite is None:
        return
    common = suite.parameters
    for name in contender.parameters:
        if name in common:
            yield ("parameters", name), "the suite declares it already"
    for name in contender.tuning:
        if name in common and common[name].by == "scenario":
            yield ("tuning", name), "the scenarios set it: a contender cannot change its own load"
    known = {**common, **contender.parameters}
    yield from _given(("tuning",), contender.tuning, known)


def _declared(parameters: Mapping[str, Parameter]) -> Findings:
    for name, parameter in parameters.items():
        key: Key = ("parameters", name)
        least, most = parameter.least, parameter.most
        if name in OF_THE_CORE:
            yield key, "wirelab itself gives this parameter to every suite"
        if parameter.type in ("flag", "text") and (least is not None or most is not None):
            yield key, f"a {parameter.type} has no least and most"
        elif least is not None and most is not None and least > most:
            yield (*key, "least"), f"expected at most {most}, found {least}"
        if parameter.choices and parameter.type != "text":
            yield (*key, "choices"), f"a {parameter.type} has no choices: least and most bound it"


def _values(scenario: Scenario) -> Iterator[tuple[Key, Mapping[str, Scalar]]]:
    """Everything in a scenario that sets parameters, by its place."""
    yield (), scenario.parameters
    for name, variant in scenario.variants.items():
        yield ("variants", name), variant.parameters
    for name, step in scenario.steps.items():
        yield ("steps", name), step.parameters
    for name, measure in scenario.profiles.items():
        yield ("profiles", name), measure.parameters


def _given(key: Key, values: Mapping[str, Scalar], known: Mapping[str, Parameter]) -> Findings:
    for name, value in values.items():
        if name not in known:
            yield from must_exist((*key, name), "parameter", name, known)
        elif not known[name].takes(value):
            shown = str(value).lower() if isinstance(value, bool) else repr(value)
            yield (*key, name), f"expected {known[name].expected}, found {shown}"
