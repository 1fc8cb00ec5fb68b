"""The keys of a profile that the load of its scenario has a use for."""

from __future__ import annotations

from collections.abc import Collection
from typing import assert_never

from wirelab.manifest.names import must_exist
from wirelab.manifest.problems import Findings, Key
from wirelab.model.load import Closed, Microbenchmark, Open, Paced
from wirelab.model.measure import Measure
from wirelab.model.scenario import Scenario

_OF_ALL = ("trials", "discard", "reruns", "parameters")
_OF_A_SEARCH = ("probes", "repeats", "highest")


def of_profile(key: Key, measure: Measure, scenario: Scenario) -> Findings:
    """Keys that say something which a trial of the scenario does not have."""
    used = {*_OF_ALL, *_of_load(scenario), *(_OF_A_SEARCH if scenario.capacity else ())}
    used |= {"variants"} if scenario.variants else set()
    for name in Measure.model_fields:
        if name in measure.model_fields_set - used:
            known = ", ".join(n for n in Measure.model_fields if n in used)
            yield (*key, name), f"{_described(scenario)} has no {name} to set, only: {known}"
    for number, name in enumerate(measure.variants if scenario.variants else ()):
        yield from must_exist((*key, "variants", number), "variant", name, scenario.variants)
    shortest, before = scenario.shortest, measure.warmup + measure.settle
    if shortest is not None and not scenario.is_closed and shortest <= before < measure.count:
        yield (
            (*key, "count"),
            f"shortest = {shortest} leaves nothing to measure: {before} ticks do not count",
        )


def _of_load(scenario: Scenario) -> Collection[str]:
    match load := scenario.played:
        case Paced() | Open():
            return ("count", "settle", "warmup", "steps") if scenario.steps else ("count", "warmup")
        case Closed():
            ramps = scenario.is_ramp
            return ("ramp", "steps") if ramps else ("count", "settle", "steps")
        case Microbenchmark():
            counted = ("operations",) if scenario.counts_instructions else ()
            return ("loops", "steps", *counted)
    assert_never(load)


def _described(scenario: Scenario) -> str:
    """The scenario in the words of its manifest."""
    kind = "search for a capacity" if scenario.capacity else f"{scenario.played.type} load"
    article = "an" if kind[0] in "aeio" else "a"
    return f"{article} {kind}{' with steps' if scenario.steps else ' without steps'}"
