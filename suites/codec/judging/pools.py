"""The neutral values of ``shapes/``, and when a value that a worker wrote equals one."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

SHAPES = ("T1", "T2", "T3", "T4", "T5", "telemetry", "chat")

_FOLDER = Path(__file__).resolve().parent.parent / "shapes"


@cache
def pool(shape: str) -> tuple[Any, ...]:
    """The instances of a shape; KeyError for a shape that the suite does not have."""
    if shape not in SHAPES:
        raise KeyError(shape)
    content = json.loads((_FOLDER / f"{shape}.json").read_text("utf-8"))
    return tuple(content["pool"])


@cache
def twins(shape: str) -> tuple[Any, ...]:
    """The twin of each instance of a shape: the same value but for one field."""
    if shape not in SHAPES:
        raise KeyError(shape)
    content = json.loads((_FOLDER / "twins" / f"{shape}.json").read_text("utf-8"))
    return tuple(content["pool"])


def same(found: Any, wanted: Any) -> bool:
    """Whether two neutral values are equal: 1 and 1.0 are, 1 and true are not."""
    if isinstance(wanted, bool) or isinstance(found, bool):
        return found is wanted
    if isinstance(wanted, dict):
        return (
            isinstance(found, dict)
            and found.keys() == wanted.keys()
            and all(same(found[key], value) for key, value in wanted.items())
        )
    if isinstance(wanted, list):
        return (
            isinstance(found, list)
            and len(found) == len(wanted)
            and all(same(one, other) for one, other in zip(found, wanted, strict=True))
        )
    if isinstance(wanted, str) or wanted is None:
        return bool(found == wanted)
    return isinstance(found, int | float) and found == wanted


def difference(found: Any, wanted: Any, place: str = "") -> str:
    """Place where two values differ first, for a message; empty when they are the same."""
    if same(found, wanted):
        return ""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key, value in wanted.items():
            if key not in found:
                return f"{place}.{key} is missing"
            if told := difference(found[key], value, f"{place}.{key}"):
                return told
        return f"{place}.{next(iter(found.keys() - wanted.keys()))} should not be there"
    if isinstance(wanted, list) and isinstance(found, list) and len(found) == len(wanted):
        for number, (one, other) in enumerate(zip(found, wanted, strict=True)):
            if told := difference(one, other, f"{place}[{number}]"):
                return told
    if isinstance(wanted, list) and isinstance(found, list):
        return f"{place or 'the list'} has {len(found)} elements, not {len(wanted)}"
    return f"{place or 'the value'} is {_short(found)}, not {_short(wanted)}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:77]}…"
