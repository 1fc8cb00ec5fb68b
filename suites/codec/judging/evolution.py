"""Outcome of reading data of another version: right, defaulted, refused or silently wrong.

A contender says what it decoded; the outcome is decided here, field by field, from what was written
and from what the reader's schema holds. The worst field decides: one that is silently wrong
before one that is defaulted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from .pools import same

Json = Mapping[str, Any]

RIGHT, DEFAULTED, REFUSED, WRONG = "right", "defaulted", "refused", "wrong"
_ORDER = (RIGHT, DEFAULTED, REFUSED, WRONG)

CHANGES = (
    "added",
    "removed",
    "reordered",
    "renamed",
    "widened",
    "retyped",
    "enumeration",
    "required",
)
DIRECTIONS = ("backward", "forward", "rewrite")
"""New code reads old data, old code reads new data, and old code hands new data on to new code."""

LEVELS = ("none", "low", "high", "critical")
"""Values of the enumeration by their numbers."""

_BASE = ("sensor", "name", "note", "count", "level")
_NEW = {
    "added": (*_BASE, "unit"),
    "removed": ("sensor", "name", "count", "level"),
    "renamed": ("sensor", "title", "note", "count", "level"),
    "required": (*_BASE, "zone"),
}
_TOUCHED = {
    "added": ("unit",),
    "removed": ("note",),
    "renamed": ("name", "title"),
    "widened": ("count",),
    "retyped": ("count",),
    "enumeration": ("level",),
    "required": ("zone",),
}
"""Fields that a change concerns: an empty value of any other is no default but misread."""

_OPTIONAL = ("note", "unit")
_SAME_FIELD = {"title": "name", "name": "title"}
_EMPTY = (None, "", 0, "none")
_LONGEST = 28


@cache
def changes() -> Mapping[str, Mapping[str, list[Json]]]:
    """Data that are written, by change and version (``old``, ``new``)."""
    file = Path(__file__).resolve().parent.parent / "vectors" / "evolution.json"
    content: dict[str, dict[str, list[Json]]] = json.loads(file.read_text("utf-8"))
    if tuple(content) != CHANGES:
        raise ValueError(f"{file.name}: other changes than {', '.join(CHANGES)}")
    return content


def fields(change: str, version: str) -> tuple[str, ...]:
    """The fields that a version of the record has."""
    return _BASE if version == "old" else _NEW.get(change, _BASE)


def remarks_of(change: str, answers: Iterable[Json]) -> dict[str, Any]:
    """``evolution``: by direction, the outcome of each instance that was written, with what tells
    it: the class of an error, or the field and what it held."""
    found: dict[str, dict[int, dict[str, str]]] = {}
    for answer in answers:
        if (direction := answer["operation"]) in DIRECTIONS:
            found.setdefault(direction, {})[answer["tick"]] = outcome(change, direction, answer)
    told = {name: [by_tick[tick] for tick in sorted(by_tick)] for name, by_tick in found.items()}
    return {"evolution": told} if told else {}


def missing(change: str, answers: Iterable[Json]) -> list[str]:
    """Questions without an answer."""
    given = {(answer["operation"], answer["tick"]) for answer in answers}
    return [
        f"{direction} {tick}: no answer"
        for direction in DIRECTIONS
        for tick in range(len(changes()[change][_writer(direction)]))
        if (direction, tick) not in given
    ]


def outcome(change: str, direction: str, answer: Json) -> dict[str, str]:
    """``outcome`` and ``told`` of one instance."""
    if "error" in answer:
        return {"outcome": REFUSED, "told": str(answer["error"]["class"])}
    written = changes()[change][_writer(direction)][answer["tick"]]
    reader = "old" if direction == "forward" else "new"
    read = answer["answer"]["value"]
    if not isinstance(read, dict):
        return {"outcome": WRONG, "told": _short(read)}
    names = fields(change, reader)
    judged = [_field(change, reader, name, read, written) for name in names]
    worst = max(judged, key=lambda one: _ORDER.index(one["outcome"]))
    return worst if worst["outcome"] != RIGHT else {"outcome": RIGHT, "told": ""}


def _writer(direction: str) -> str:
    return "old" if direction == "backward" else "new"


def _field(change: str, reader: str, name: str, read: Json, written: Json) -> dict[str, str]:
    value = read.get(name)
    source = name if name in written else _SAME_FIELD.get(name, name)
    if source in written:
        right = _is(value, _expected(change, reader, name, written[source]))
    else:
        right = name in _OPTIONAL and value is None
    if right:
        return {"outcome": RIGHT, "told": ""}
    told = f"{name} = {_short(value)}" if name in read else f"{name} –"
    defaulted = name in _TOUCHED.get(change, ()) and any(same(value, one) for one in _EMPTY)
    return {"outcome": DEFAULTED if defaulted else WRONG, "told": told}


def _expected(change: str, reader: str, name: str, written: Any) -> tuple[Any, ...]:
    """The right values: those written, in the reader's type; an enumeration by name or number."""
    if name == "level":
        return written, LEVELS.index(written)
    if name == "count":
        return (str(written),) if (change, reader) == ("retyped", "new") else (int(written),)
    return (written,)


def _is(value: Any, expected: tuple[Any, ...]) -> bool:
    return any(same(value, one) for one in expected)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
