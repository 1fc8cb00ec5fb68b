"""Rules for a role that is several processes: where it can be, and how many they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wirelab.manifest.problems import Findings, Key
from wirelab.model.parts import Role
from wirelab.model.scenario import Scenario
from wirelab.model.several import MOST_PROCESSES, process_names, processes_of
from wirelab.model.steps import SizeError
from wirelab.model.units import Scalar


def of_scenario(key: Key, scenario: Scenario) -> Findings:
    """Mistakes in a scenario whose roles have several processes."""
    for name, role in scenario.roles.items():
        if role.processes == 1:
            continue
        place = (*key, "roles", name, "processes")
        yield from ((place, wrong) for wrong in _wrong(name, role, scenario))
        yield from _numbers(place, role, scenario)


def _wrong(name: str, role: Role, scenario: Scenario) -> Iterator[str]:
    if not (role.measured and role.is_contenders):
        yield "only a measured role that contenders provide can be several processes"
    if not scenario.is_paced or scenario.cycle.length > 1:
        yield "several processes need a paced load without a cycle: each has one lane"
    odd = [n for n, one in scenario.operations.items() if one.record != "samples"]
    if odd:
        yield f"of several processes each operation needs a record: {odd[0]} has none"
    struck = {fault.role for variant in scenario.variants.values() for fault in variant.faults}
    if name in struck:
        yield "a fault is of one process, and this role can be several"
    taken = {*process_names(name, MOST_PROCESSES)} & scenario.roles.keys()
    if taken:
        yield f"its processes are called {name}-1 and so on, as the role {min(taken)} is"


def _numbers(place: Key, role: Role, scenario: Scenario) -> Findings:
    """Numbers of processes that are none, whatever variant is played."""
    for parameters in _played(scenario):
        try:
            processes_of(role, parameters)
        except SizeError:
            yield (
                place,
                f"expected a whole number from 1 to {MOST_PROCESSES}, or a parameter that always "
                f"has one, not {role.processes}",
            )
            return


def _played(scenario: Scenario) -> list[Mapping[str, Scalar]]:
    """Parameters of the scenario, or of each of its variants."""
    own = scenario.parameters
    return [{**own, **one.parameters} for one in scenario.variants.values()] or [own]
