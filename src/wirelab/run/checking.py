"""A contender as the checker of the contract is handed it: a document that leaves no question.

Everything is resolved here, by the same code that runs trials: which suite, scenario and variant,
which commands, and what operations and steps there are. The checker, which stands alone, reads
the document and nothing else of wirelab.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wirelab.build import Built, Part, contender_part, engine_part, service_part
from wirelab.catalog import ContenderEntry, SuiteEntry
from wirelab.model.known_name import known_name
from wirelab.model.mistake import MistakeError
from wirelab.model.parts import Fault, Operation, Role, Step
from wirelab.model.scenario import Kind, Scenario
from wirelab.model.steps import lanes_of, users_of
from wirelab.model.units import Scalar
from wirelab.plan.order import has_part, takes_part
from wirelab.plan.parameters import parameters_of
from wirelab.run import processors

FORMAT = 1
"""Format of the document, which the checker refuses when it does not know it."""

Json = dict[str, Any]
Prepare = Callable[[Part], Built]


class NothingToCheckError(MistakeError):
    """A check that was asked for and cannot be made."""


@dataclass(frozen=True)
class WantedChecks:
    """The checks that are wanted of a contender. Empty: the first scenario under load, the first
    variant that breaks nothing with those whose calls are to fail, every role that the contender
    fills, its own command.
    """

    scenario: str = ""
    variant: str = ""
    role: str = ""
    command: Sequence[str] = ()
    server: Sequence[str] = ()
    """In place of the command of every service of the suite."""
    parameters: Mapping[str, Scalar] = field(default_factory=dict)


def described(
    suite: SuiteEntry,
    contender: ContenderEntry,
    wanted: WantedChecks,
    prepare: Prepare,
    repository: Path,
) -> Json:
    """The document. ``prepare`` builds a part; the engine is the repository's. Raises
    NothingToCheckError for what is not there, and Unavailable for what cannot be had.
    """
    if few := processors.lacking_for_a_check(contender.manifest):
        raise few
    name = _scenario(suite, contender, wanted.scenario)
    scenario = suite.manifest.scenarios[name]
    chosen = _variant(scenario, wanted.variant)
    further = [] if wanted.variant else list(_made_to_fail(contender, name, scenario, chosen))
    rules = suite.folder / "verify.py"
    load = scenario.played
    return {
        "format": FORMAT,
        "suite": suite.name,
        "scenario": name,
        "contender": contender.name,
        "rules": str(rules) if rules.is_file() else "",
        **_of_variant(chosen, contender, scenario, wanted),
        "further": [_of_variant(one, contender, scenario, wanted) for one in further],
        "statuses": sorted(scenario.statuses.values()),
        "loop": "closed" if scenario.is_microbenchmark else load.type,
        "cycle": scenario.cycle.model_dump(),
        "period_ns": scenario.period,
        "repeated": list(scenario.steps) if scenario.is_microbenchmark else [],
        "ready_ns": scenario.ready_limit,
        "operation_ns": scenario.operation_limit,
        "stop_ns": scenario.stop_limit,
        "roles": _roles(suite, contender, scenario, wanted, prepare, repository=repository),
    }


def _of_variant(
    name: str, contender: ContenderEntry, scenario: Scenario, wanted: WantedChecks
) -> Json:
    """Entries of the document that are a variant's own."""
    variant = scenario.variant(name)
    parameters = parameters_of(scenario, name, contender.manifest, wanted.parameters)
    used = variant.operations or list(scenario.operations)
    return {
        "variant": name,
        "expects": variant.expects or "",
        "set_by_variant": list(variant.parameters),
        "parameters": parameters,
        "operations": {n: _operation(scenario.operations[n]) for n in used},
        "steps": _steps(scenario, parameters),
        "killed": sorted({fault.role for fault in variant.faults if _kills_before(fault)}),
        "not_played": [_in_words(fault) for fault in variant.faults if not _kills_before(fault)],
    }


def _made_to_fail(
    contender: ContenderEntry, name: str, scenario: Scenario, chosen: str
) -> Iterator[str]:
    """The other variants whose calls are to fail by what is there when they begin.

    A worker that heeds the parameters of one of them may have forgotten those of another.
    """
    for variant_name, variant in scenario.variants.items():
        fails = variant.expects in {"item-error", "call-error"}
        played = all(_kills_before(fault) for fault in variant.faults)
        mine = takes_part(contender.manifest, name, scenario, variant_name)
        if fails and played and mine and variant_name != chosen:
            yield variant_name


def unchecked(suite: SuiteEntry, contender: ContenderEntry, document: Json) -> list[str]:
    """Parts of the suite that the document leaves out, as options: further scenarios and variants
    that the contender takes part in.
    """
    manifest, own = contender.manifest, document["scenario"]
    scenarios = suite.manifest.scenarios
    checked = {document["variant"], *(one["variant"] for one in document["further"])}
    variants = [
        name
        for name in scenarios[own].variants
        if name not in checked and takes_part(manifest, own, scenarios[own], name)
    ]
    others = [
        name
        for name, scenario in scenarios.items()
        if name != own and has_part(manifest, name, scenario)
    ]
    found = [f"--scenario {own} --variant {name}" for name in variants]
    return found + [f"--scenario {name}" for name in others]


def _scenario(suite: SuiteEntry, contender: ContenderEntry, asked: str) -> str:
    known = suite.manifest.scenarios
    if asked:
        known_name("scenario", asked, known, f"suite {suite.name}")
        return asked
    can = contender.manifest.scenarios or list(known)
    for name, scenario in known.items():
        if name in can and scenario.kind in (Kind.LOAD, Kind.MICROBENCHMARK):
            return name
    raise NothingToCheckError(
        f"{contender.name} takes part in no scenario under load: say --scenario"
    )


def _variant(scenario: Scenario, asked: str) -> str:
    """``asked``, or the first variant that breaks nothing: without faults, and connected before
    `ready`, so that every operation of it can be performed at every tick."""
    if asked:
        known_name("variant", asked, scenario.variants, "the scenario")
        return asked
    for name, variant in scenario.variants.items():
        connect = {**scenario.parameters, **variant.parameters}.get("connect", "before")
        if not variant.faults and connect == "before":
            return name
    if scenario.variants:
        known = ", ".join(scenario.variants)
        raise NothingToCheckError(
            f"every variant of this scenario has a fault: choose one with --variant: {known}"
        )
    return ""


def _operation(operation: Operation) -> Json:
    entry: Json = {
        "code": operation.code,
        "every": operation.every,
        "items": operation.items,
        "due": operation.due,
        "record": operation.record,
        "preflight": operation.preflight,
        "verified": operation.verify_ratio > 0,
    }
    return entry | ({"deadline_ns": operation.deadline} if operation.deadline else {})


def _steps(scenario: Scenario, parameters: Mapping[str, Scalar]) -> list[Json]:
    if scenario.is_microbenchmark:
        return []
    return [_step(name, step, parameters) for name, step in scenario.steps.items()]


def _step(name: str, step: Step, parameters: Mapping[str, Scalar]) -> Json:
    return {
        "name": name,
        "users": users_of(step, parameters),
        "lanes": lanes_of(step, parameters),
        "parameters": dict(step.parameters),
        "settle": step.settle,
        "join_ns": step.join,
    }


def _filled(contender: ContenderEntry, scenario: Scenario) -> dict[str, Role]:
    """The roles of a trial in the order in which they start, the measured one last."""
    roles = contender.manifest.cast(scenario.roles)
    return dict(sorted(roles.items(), key=lambda item: item[1].measured))


def _roles(
    suite: SuiteEntry,
    contender: ContenderEntry,
    scenario: Scenario,
    wanted: WantedChecks,
    prepare: Prepare,
    *,
    repository: Path,
) -> list[Json]:
    roles = []
    for name, role in _filled(contender, scenario).items():
        checked = wanted.role == name or (not wanted.role and role.is_contenders)
        if role.engine and not checked:
            continue  # the load of another: the contender is checked without it
        own = wanted.command if checked else ()
        said = wanted.server if role.service else own if role.engine else ()
        entry = {"role": name, "measured": role.measured, "checked": checked}
        entry |= {"generates": role.measured and not role.is_contenders}
        entry |= {"hears_start": role.hears_start}
        if said:
            roles.append(entry | {"command": list(said), "environment": {}})
            continue
        built = prepare(_part(suite, contender, role, repository))
        command = built.filled(own, name) if own else built.command(name)
        roles.append(entry | {"command": command, "environment": built.environment})
    if not any(role["checked"] for role in roles):
        raise NothingToCheckError(f"{contender.name} fills no role {wanted.role} in this scenario")
    return roles


def _part(suite: SuiteEntry, contender: ContenderEntry, role: Role, repository: Path) -> Part:
    if role.service:
        return service_part(suite, role.service)
    return engine_part(repository, role.engine) if role.engine else contender_part(suite, contender)


def _kills_before(fault: Fault) -> bool:
    return (fault.at, fault.action) == ("before-client", "kill")


def _in_words(fault: Fault) -> str:
    at = f"{fault.at / 1e9:g} s" if isinstance(fault.at, int) else fault.at
    return f"{fault.action} {fault.role} at {at}"
