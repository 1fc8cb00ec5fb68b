"""The record of ``evolution`` and what changes make of it: fields that follow each other.

An enumeration is the int that it is in C++ and C#; a string that may be left out is null.
"""

from __future__ import annotations

from dataclasses import make_dataclass
from typing import Any

from cgd import INT32, INT64, NULLABLE_STRING, STRING, ValueKind, record

LEVELS = ("none", "low", "high", "critical")

_BASE: dict[str, ValueKind[Any]] = {
    "sensor": INT32,
    "name": STRING,
    "note": NULLABLE_STRING,
    "count": INT32,
    "level": INT32,
}
_FIELDS: dict[str, dict[str, ValueKind[Any]]] = {
    "base": _BASE,
    "added": {**_BASE, "unit": NULLABLE_STRING},
    "removed": {name: kind for name, kind in _BASE.items() if name != "note"},
    "reordered": {name: _BASE[name] for name in ("count", "name", "note", "sensor", "level")},
    "renamed": {"title" if name == "name" else name: kind for name, kind in _BASE.items()},
    "widened": {**_BASE, "count": INT64},
    "retyped": {**_BASE, "count": STRING},
    "enumeration": _BASE,
    "required": {**_BASE, "zone": STRING},
}


def _version(fields: dict[str, ValueKind[Any]]) -> tuple[Any, ValueKind[Any]]:
    reading = make_dataclass("Reading", fields)
    return reading, record(reading, **fields)


VERSIONS = {version: _version(fields) for version, fields in _FIELDS.items()}
"""The class and the kind of every version."""
