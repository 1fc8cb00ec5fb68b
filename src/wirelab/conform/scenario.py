"""What a scenario of a suite asks for, from its manifest."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from .contract import SECOND, Json
from .worker import CannotCheckError

_UNITS = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": SECOND, "min": 60 * SECOND}

_MOST_USERS = 120
"""The contract is the same for a few users as for thousands."""


def nanoseconds(value: str | int) -> int:
    """A duration such as ``100ms``; CannotCheckError for anything else."""
    if isinstance(value, int):
        return value
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ns|us|ms|s|min)", value.strip())
    if match is None:
        raise CannotCheckError(f"{value!r} is no duration such as 100ms")
    return round(float(match[1]) * _UNITS[match[2]])


def operation_of(entry: Json) -> Json:
    """An operation of the manifest, as a spec has it."""
    operation = {
        "code": entry["code"],
        "every": entry.get("every", 1),
        "items": entry.get("items", 1),
        "due": entry.get("due", "tick"),
        "record": entry.get("record", "samples"),
        "preflight": entry.get("preflight", 1),
        "verified": entry.get("verify_ratio", 0.01) > 0,
    }
    if "deadline" in entry:
        operation["deadline_ns"] = nanoseconds(entry["deadline"])
    return operation


def load_of(scenario: Json) -> Json:
    """The scenario's load; of a capacity, that of each probe."""
    load: Json = scenario.get("load") or scenario.get("capacity", {}).get("load")
    if not isinstance(load, dict) or "type" not in load:
        raise CannotCheckError('a scenario needs a load, such as { type = "open", period = "1s" }')
    return load


def cycle_of(scenario: Json) -> dict[str, int]:
    """When a lane is due: ``active`` ticks of every ``length``."""
    return {"length": 1, "active": 1, **load_of(scenario).get("cycle", {})}


def steps_of(scenario: Json, parameters: Mapping[str, Any]) -> tuple[Json, ...]:
    """The steps of the scenario, with few users but in the same proportions."""
    found: list[Json] = []
    if loops_of(scenario):
        return ()
    for name, step in scenario.get("steps", {}).items():
        own = step.get("parameters", {})
        users = _size(step.get("users", 1), {**parameters, **own})
        lanes = _size(step.get("lanes", users), {**parameters, **own})
        join_ns = nanoseconds(step["join"]) if "join" in step else None
        sizes = {"name": name, "users": users, "lanes": lanes, "parameters": dict(own)}
        found.append(sizes | {"settle": step.get("settle"), "join_ns": join_ns})
    scale = max(1.0, max((step["users"] for step in found), default=0) / _MOST_USERS)
    small = {key: [math.ceil(step[key] / scale) for step in found] for key in ("users", "lanes")}
    return tuple(
        step | {"users": users, "lanes": lanes}
        for step, users, lanes in zip(found, small["users"], small["lanes"], strict=True)
    )


def loops_of(scenario: Json) -> tuple[str, ...]:
    """The steps whose operations are repeated in batches."""
    repeated = load_of(scenario)["type"] == "microbenchmark"
    return tuple(scenario.get("steps", ())) if repeated else ()


def _size(said: int | str, parameters: Mapping[str, Any]) -> int:
    value = parameters.get(said) if isinstance(said, str) else said
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise CannotCheckError(f"{said} = {value}: expected a whole number above 0")
    return value
