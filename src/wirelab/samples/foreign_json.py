"""JSON of strangers that can be kept: whatever is read here can be written, and read again.

Python's reader takes numbers that no other knows, halves of characters and any depth; what is
written of them later, a record or a result, would then be unreadable.
"""

from __future__ import annotations

import json
import math
from typing import Any

MOST_DEPTH = 64
"""Lists and objects within each other: those of the suites here have 4."""

_LEAST_WHOLE, _MOST_WHOLE = -(2**63), 2**64 - 1
_LONGEST_WHOLE = 20
"""Digits of the largest whole number: more are not even looked at."""


def parsed(text: bytes) -> Any:
    """Parse ``text``; ValueError, with the reason, where it is no JSON that can be kept."""
    try:
        document = json.loads(
            text.decode("utf-8"),
            parse_int=_whole,
            parse_float=_finite,
            parse_constant=_no_number,
        )
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    except json.JSONDecodeError:
        raise ValueError("not JSON") from None
    except RecursionError:
        raise ValueError(_too_deep()) from None
    _check_depth(document)
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("half of a surrogate pair, which is no character") from None
    return document


def _whole(digits: str) -> int:
    number = int(digits) if len(digits) <= _LONGEST_WHOLE else _MOST_WHOLE + 1
    if not _LEAST_WHOLE <= number <= _MOST_WHOLE:
        raise ValueError("a whole number of more than 64 bits")
    return number


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"a number too large: {text[:40]}")
    return number


def _no_number(name: str) -> float:
    raise ValueError(f"{name}, which is no number of JSON")


def _check_depth(document: Any) -> None:
    level = [document]
    for _ in range(MOST_DEPTH + 1):
        level = [inner for one in level for inner in _inside(one)]
        if not level:
            return
    raise ValueError(_too_deep())


def _inside(one: Any) -> list[Any]:
    if isinstance(one, dict):
        return [inner for inner in one.values() if isinstance(inner, dict | list)]
    return [inner for inner in one if isinstance(inner, dict | list)] if type(one) is list else []


def _too_deep() -> str:
    return f"nested deeper than {MOST_DEPTH} levels"
