"""Stored files of earlier formats, brought to the present one: a step for each change of format."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]

VERSION = 2
"""Of ``run.json`` and ``result.json``: ``schema_version`` where they are written now."""


def converted(stored: bytes) -> bytes:
    """``run.json`` or ``result.json`` in the present format; raises ValueError for a later one."""
    document: Json = json.loads(stored)
    version = document.get("schema_version", 1)
    if version == VERSION:
        return stored
    if version not in range(1, VERSION + 1):
        raise ValueError(f"schema_version {version}, and 1 to {VERSION} can be read")
    for step in _STEPS[version - 1 :]:
        document = step(document)
    return json.dumps({**document, "schema_version": VERSION}).encode()


def _loads(document: Json) -> Json:
    """1 to 2: a scenario's kind, loop, period, cycle and counter became its load."""
    scenarios = {name: _with_load(one) for name, one in document.get("scenarios", {}).items()}
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


_STEPS: tuple[Callable[[Json], Json], ...] = (_loads,)
