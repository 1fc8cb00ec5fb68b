"""Stored files of earlier formats, brought to the present one: a step for each change of format."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from wirelab.model.schema_version import SCHEMA_VERSION

Json = dict[str, Any]


def converted(stored: bytes) -> bytes:
    """A stored file in the present format; raises ValueError for one of a later format.

    A file without a ``schema_version`` is of the first.
    """
    document: Json = json.loads(stored)
    version = document.get("schema_version", 1)
    if type(version) is int and version == SCHEMA_VERSION:
        return stored
    if type(version) is not int or version not in range(1, SCHEMA_VERSION + 1):
        raise ValueError(f"schema_version {version}, and 1 to {SCHEMA_VERSION} can be read")
    for step in _STEPS[version - 1 :]:
        document = step(document)
    return json.dumps({**document, "schema_version": SCHEMA_VERSION}).encode()


def _loads(document: Json) -> Json:
    """1 to 2: a scenario's kind, loop, period, cycle and counter became its load."""
    if "scenarios" not in document:
        return document
    scenarios = {name: _with_load(one) for name, one in document["scenarios"].items()}
    return {**document, "scenarios": scenarios}


def _with_load(scenario: Json) -> Json:
    rest = dict(scenario)
    kind, loop = rest.pop("kind", "load"), rest.pop("loop")
    period, cycle = rest.pop("period"), rest.pop("cycle", None)
    under = rest.pop("under", "")
    load: Json = {"type": loop, "period": period} | ({"cycle": cycle} if cycle else {})
    if loop == "closed":
        load = {"type": "closed", "at_most": period}
    if kind == "batches":
        load = {"type": "microbenchmark", "about": period, "instrument": under or "clock"}
    if kind == "capacity":
        return {**rest, "capacity": {**rest["capacity"], "load": load}}
    return {**rest, "load": load, "reference_only": kind == "ceiling"}


def _planned_loads(document: Json) -> Json:
    """2 to 3: what a planned trial has of its load became one object with the load's type."""
    if "plan" in document:
        closed = {name for name, one in document["scenarios"].items() if _is_closed(one)}
        plan = [_with_planned_load(t, closed=t["scenario"] in closed) for t in document["plan"]]
        return {**document, "plan": plan}
    if "planned" in document:
        # Only a closed loop's worker says when its steps began and ended.
        planned = _with_planned_load(document["planned"], closed=bool(document.get("steps")))
        return {**document, "planned": planned}
    return document


def _is_closed(scenario: Json) -> bool:
    load: Json | None = scenario.get("load")
    return load is not None and load["type"] == "closed"


def _with_planned_load(trial: Json, *, closed: bool) -> Json:
    rest = dict(trial)
    period, count, warmup = rest.pop("period_ns"), rest.pop("count"), rest.pop("warmup")
    steps, cycle = rest.pop("steps", []), rest.pop("cycle", {})
    loops, said = rest.pop("loops", None), rest.pop("closed", False)
    load: Json
    if loops is not None:
        names = [step["name"] for step in steps]
        load = {"type": "microbenchmark", "about_ns": period, "steps": names, **loops}
    elif closed or said:
        kept = [{key: step[key] for key in step if key != "join_ns"} for step in steps]
        load = {"type": "closed", "at_most_ns": period, "steps": kept}
    else:
        ticks = {"period_ns": period, "count": count, "warmup": warmup}
        load = {"type": "scheduled", **ticks, "cycle": cycle, "steps": steps}
    return {**rest, "load": load}


def _providers(document: Json) -> Json:
    """3 to 4: a role's ``by`` and ``beside``, and a contender's ``fills``, have other names."""
    if "scenarios" not in document:
        return document
    scenarios = {name: _with_providers(one) for name, one in document["scenarios"].items()}
    participants = {
        name: {**one, "manifest": _renamed(one["manifest"], {"fills": "provided_by"})}
        for name, one in document.get("participants", {}).items()
    }
    return {**document, "scenarios": scenarios, "participants": participants}


def _with_providers(scenario: Json) -> Json:
    names = {"by": "provider", "beside": "colocated_with"}
    roles = {name: _renamed(role, names) for name, role in scenario["roles"].items()}
    return {**scenario, "roles": roles}


def _renamed(table: Json, names: Mapping[str, str]) -> Json:
    """The table with other names of some keys, in its order."""
    return {names.get(key, key): value for key, value in table.items()}


def _services(document: Json) -> Json:
    """4 to 5: the neutral programs of a suite became its services."""
    if "scenarios" not in document:
        return document
    document = _renamed(document, {"programs": "services"})
    for scenario in document.get("scenarios", {}).values():
        for role in scenario["roles"].values():
            role["provider"] = _as_service(role["provider"])
    for participant in document.get("participants", {}).values():
        roles = participant["manifest"].get("provided_by", {})
        participant["manifest"]["provided_by"] = {n: _as_service(one) for n, one in roles.items()}
    return document


def _as_service(provider: str) -> str:
    kind, colon, name = provider.partition(":")
    return f"service:{name}" if colon and kind == "program" else provider


def _verdicts(document: Json) -> Json:
    """5 to 6: each figure has a verdict of its own, before it had that of its cell; and values
    by block, without which those stored before are compared."""
    for cell in document.get("cells", []):
        verdict = cell["verdict"]
        gates = [f["gate"] for f in cell.get("findings", []) if f["verdict"] == verdict]
        if verdict != "valid":
            for metric in cell.get("metrics", {}).values():
                metric |= {"verdict": verdict, "gates": list(dict.fromkeys(gates))}
    return document


def _included(document: Json) -> Json:
    """6 to 7: a trial that figures are made from is included, before it was counted."""
    names = {"counted": "included"}
    if "plan" in document:
        document = {**document, "plan": [_renamed(trial, names) for trial in document["plan"]]}
    if "planned" in document:
        document = {**document, "planned": _renamed(document["planned"], names)}
    for cell in document.get("cells", []):
        for finding in cell.get("findings", []):
            if finding["gate"] == "trial-failed":
                finding["evidence"] = _renamed(finding["evidence"], names)
    return document


_STEPS: tuple[Callable[[Json], Json], ...] = (
    _loads,
    _planned_loads,
    _providers,
    _services,
    _verdicts,
    _included,
)
