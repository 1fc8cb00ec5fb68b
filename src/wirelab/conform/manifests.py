"""The workers to check, from the manifests of a contender and its suite."""

from __future__ import annotations

import importlib
import os
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from .contract import SECOND, Json
from .placeholders import filled
from .scenario import cycle_of, load_of, loops_of, nanoseconds, operation_of, steps_of
from .variants import chosen_variant, killed_before, other_faults
from .worker import CannotCheckError, CheckedWorker

_LONGEST_PERIOD_NS = SECOND // 10
_PROGRAM = "program:"
_LOOPS = {"paced": "paced", "open": "open", "closed": "closed", "microbenchmark": "closed"}
"""Loads in the words of the contract."""

_CONTENDER = "contender"


@dataclass(frozen=True)
class Prepared:
    """What building a neutral program gave: values of placeholders, and variables to add."""

    places: Mapping[str, str]
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Wanted:
    """What is asked for beyond the folder of the contender.

    ``places`` are values of placeholders; ``environment`` is added to the contender's;
    ``server`` is the command of the suite's program, ``programs`` are those that were built.
    """

    command: Sequence[str] = ()
    suite: Path | None = None
    scenario: str = ""
    variant: str = ""
    role: str = ""
    server: Sequence[str] = ()
    places: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    programs: Mapping[str, Prepared] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class _Case:
    """A contender in a scenario of its suite, as their manifests have it."""

    folder: Path
    manifest: Json
    suite_folder: Path
    suite: Json
    name: str

    @property
    def scenario(self) -> Json:
        scenario: Json = self.suite["scenarios"][self.name]
        return scenario

    def roles(self) -> list[tuple[str, Json]]:
        """Roles in the order in which they start: the measured one needs all others.

        Optional ones are there for contenders that name them in ``uses``; what the contender has
        filled by a program is that program's.
        """
        uses, fills = self.manifest.get("uses", []), self.manifest.get("fills", {})
        roles = [
            (name, {**role, "by": fills[name]} if _is_filled(role, name, fills) else role)
            for name, role in self.scenario["roles"].items()
        ]
        needed = [(n, role) for n, role in roles if n in uses or not role.get("optional", False)]
        return sorted(needed, key=lambda item: _measured(item[1]))


def workers(contender: Path, wanted: Wanted) -> list[CheckedWorker]:
    """The workers to check: one for each role that the contender fills in the scenario."""
    case = _case(contender, wanted)
    places = {"suite": str(case.suite_folder), **_places_here(case.folder), **wanted.places}
    common = _common(case, wanted)
    found: list[CheckedWorker] = []
    partners: list[CheckedWorker] = []
    for role, entry in case.roles():
        worker = replace(common, role=role, measured=_measured(entry), partners=tuple(partners))
        if entry["by"].startswith(_PROGRAM):
            worker = _program(worker, case, entry["by"].removeprefix(_PROGRAM), places, wanted)
        elif entry["by"] == _CONTENDER:
            worker = _contender(worker, case, places, wanted)
            if wanted.role in ("", role):
                found.append(worker)
        elif wanted.role != role:
            continue  # the load of another: the contender is checked without it
        else:
            worker = _other(worker, entry["by"], wanted)
            found.append(worker)
        partners.append(worker)
    if not found:
        raise CannotCheckError(f"the contender fills no role {wanted.role} in scenario {case.name}")
    return found


def programs(contender: Path, wanted: Wanted) -> list[str]:
    """The suite's neutral programs that the scenario needs."""
    fillers = [entry["by"] for _, entry in _case(contender, wanted).roles()]
    return sorted({by.removeprefix(_PROGRAM) for by in fillers if by.startswith(_PROGRAM)})


def _case(contender: Path, wanted: Wanted) -> _Case:
    folder = contender.resolve()
    manifest = _toml(folder / "contender.toml")
    suite_folder = (wanted.suite or folder.parent.parent).resolve()
    if wanted.suite is None and not (suite_folder / "suite.toml").exists():
        own = f' "{manifest["suite"]}"' if "suite" in manifest else ""
        raise CannotCheckError(f"{folder} is in no suite: say --suite FOLDER of its suite{own}")
    suite = _toml(suite_folder / "suite.toml")
    name = wanted.scenario or _first_scenario(manifest, suite)
    if name not in suite["scenarios"]:
        raise CannotCheckError(f"suite {suite['suite']} has no scenario {name}")
    return _Case(folder, manifest, suite_folder, suite, name)


def _common(case: _Case, wanted: Wanted) -> CheckedWorker:
    """What the workers of all roles share."""
    scenario = case.scenario
    variant_name = chosen_variant(scenario, wanted.variant)
    variant = scenario["variants"][variant_name] if variant_name else {}
    operations = scenario.get("operations", {})
    parameters = {
        **scenario.get("parameters", {}),
        **variant.get("parameters", {}),
        **case.manifest.get("tuning", {}),
        **wanted.parameters,
    }
    rules = _rules(case.suite_folder / "verify.py")
    return CheckedWorker(
        command=(),
        role="",
        suite=case.suite["suite"],
        scenario=case.name,
        variant=variant_name,
        contender=case.manifest["contender"],
        parameters=parameters,
        operations={
            name: operation_of(operations[name]) for name in variant.get("operations") or operations
        },
        statuses=frozenset(scenario.get("statuses", {}).values()),
        cycle=cycle_of(scenario),
        loop=_LOOPS[load_of(scenario)["type"]],
        steps=steps_of(scenario, parameters),
        loops=loops_of(scenario),
        period_ns=_period_ns(scenario),
        ready_ns=nanoseconds(scenario.get("ready_limit", "60s")),
        operation_ns=nanoseconds(scenario.get("operation_limit", "10s")),
        stop_ns=nanoseconds(scenario.get("stop_limit", "5s")),
        killed=killed_before(variant),
        left_out=other_faults(variant),
        verify=getattr(rules, "verify", None),
        judge=getattr(rules, "judge", None),
    )


def _contender(
    worker: CheckedWorker, case: _Case, places: Mapping[str, str], wanted: Wanted
) -> CheckedWorker:
    """A role that the contender fills."""
    source = (case.folder / case.manifest.get("source", ".")).resolve()
    run, known = case.manifest["run"], {"source": str(source), **places, "role": worker.role}
    asked = wanted.command if wanted.role in ("", worker.role) else ()
    return replace(
        worker,
        command=asked or [filled(word, known) for word in run["command"]],
        environment={**_environment(run, known), **wanted.environment},
    )


def _other(worker: CheckedWorker, by: str, wanted: Wanted) -> CheckedWorker:
    """A role that wirelab itself fills; only who names its command can have it checked."""
    if not wanted.command:
        raise CannotCheckError(f"the role {worker.role} is filled by {by}: say --command 'COMMAND'")
    return replace(worker, command=wanted.command)


def _program(
    worker: CheckedWorker, case: _Case, name: str, places: Mapping[str, str], wanted: Wanted
) -> CheckedWorker:
    """A role that a neutral program of the suite fills."""
    program = case.suite["programs"][name]
    source = (case.suite_folder / program["source"]).resolve()
    known = {**places, "source": str(source), "role": worker.role}
    built = wanted.programs.get(name)
    if built:
        known |= built.places
    environment = {**_environment(program["run"], known), **(built.environment if built else {})}
    if wanted.server:
        return replace(worker, command=wanted.server, environment=environment)
    build = program["build"]
    if built is None and (build["kind"] != "none" or build.get("needs")):
        by = f"{_PROGRAM}{name}"
        raise CannotCheckError(f"the role {worker.role} is filled by {by}: say --server 'COMMAND'")
    command = [filled(word, known) for word in program["run"]["command"]]
    return replace(worker, command=command, environment=environment)


def _period_ns(scenario: Json) -> int:
    """No check waits for long ones; lanes of a closed loop wait for none, and it is a bound."""
    load = load_of(scenario)
    if load["type"] == "closed":
        return nanoseconds(load["at_most"])
    return min(nanoseconds(load.get("period") or load["about"]), _LONGEST_PERIOD_NS)


def _is_filled(role: Json, name: str, fills: Mapping[str, str]) -> bool:
    return bool(role["by"] == _CONTENDER and name in fills)


def _measured(role: Json) -> bool:
    return bool(role.get("measured", False))


def _places_here(contender: Path) -> dict[str, str]:
    """Runtimes as PATH has them, and the SDKs of the tree that the contender is in."""
    places = {"python": sys.executable, "java": "java", "node": "node"}
    sdks = [folder / "sdk" for folder in contender.parents if (folder / "sdk/python").is_dir()]
    return {**places, "sdk": str(sdks[0])} if sdks else places


def _environment(run: Json, known: Mapping[str, str]) -> dict[str, str]:
    """The manifest's variables, and the Python SDK where it is known."""
    environment = {}
    if "sdk" in known:
        inherited = os.environ.get("PYTHONPATH", "")
        parts = [str(Path(known["sdk"]) / "python"), *filter(None, [inherited])]
        environment["PYTHONPATH"] = os.pathsep.join(parts)
    own = run.get("environment", {})
    return {**environment, **{name: filled(text, known) for name, text in own.items()}}


def _under_load(scenario: Json) -> bool:
    """Whether it is no search, no ceiling, and looks for no errors."""
    variants = scenario.get("variants", {}).values()
    observes_faults = any(variant.get("expects") for variant in variants)
    return not (observes_faults or "capacity" in scenario or scenario.get("reference_only"))


def _first_scenario(manifest: Json, suite: Json) -> str:
    for name, scenario in suite["scenarios"].items():
        can = manifest.get("scenarios") or list(suite["scenarios"])
        if name in can and _under_load(scenario):
            return str(name)
    raise CannotCheckError("the contender takes part in no scenario under load: say --scenario")


def _toml(path: Path) -> Json:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CannotCheckError(f"cannot read {path}: {error.strerror}") from error
    except tomllib.TOMLDecodeError as error:
        raise CannotCheckError(f"{path}: {error}") from error


def _rules(path: Path) -> ModuleType | None:
    """The suite's ``verify.py``, loaded so that it can import its parts beside it."""
    if not path.exists():
        return None
    package = f"conform_rules_{path.parent.name}"
    folder = ModuleType(package)
    folder.__path__ = [str(path.parent)]
    sys.modules[package] = folder
    try:
        return importlib.import_module(f"{package}.{path.stem}")
    except ImportError as error:
        raise CannotCheckError(f"{path} needs what is not installed here: {error}") from error
