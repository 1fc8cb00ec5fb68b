"""JSON codecs that are right for the values of the pools, or for most calls, and not for others."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

HONEST_FOR = 32
"""Calls of an operation before what only happens in loops begins."""

_SHORT = 255

Decode = Callable[[bytes], Any]
Encode = Callable[[Any], bytes]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _written(
    value: Any, text: Callable[[str], str] = _quoted, fraction: Callable[[float], str] = repr
) -> str:
    """JSON of a value with texts and fractions as they are written here."""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, float):
        return fraction(value)
    if isinstance(value, list):
        return f"[{','.join(_written(one, text, fraction) for one in value)}]"
    if isinstance(value, dict):
        fields = (f"{text(k)}:{_written(one, text, fraction)}" for k, one in value.items())
        return f"{{{','.join(fields)}}}"
    return json.dumps(value)


def trusts_texts(value: Any) -> bytes:
    """No character of a text is looked at: none is escaped."""
    return _written(value, text=lambda text: f'"{text}"').encode()


def cuts_long_texts(value: Any) -> bytes:
    """Texts lose what is longer than a byte can say."""
    return _written(value, text=lambda text: _quoted(text[:_SHORT])).encode()


def rounds_fractions(value: Any) -> bytes:
    """Fractions are written with two decimals, which all of the pools have at the most."""
    return _written(value, fraction=lambda number: f"{number:.2f}").encode()


def loses_low_bits(content: bytes) -> Any:
    """All numbers are read as doubles, as by a parser that knows no others."""
    return json.loads(content, parse_int=lambda digits: int(float(digits)))


class KeyedByPart:
    """Keeps encodings by the first field and the last one, by which most values differ."""

    def __init__(self) -> None:
        self._calls = 0
        self._known: dict[str, bytes] = {}

    def __call__(self, value: Any) -> bytes:
        self._calls += 1
        if self._calls <= HONEST_FOR:
            return _written(value).encode()
        fields = list(value.values()) if isinstance(value, dict) else value
        key = f"{len(fields)} {fields[0]} {fields[-1]}"
        if key not in self._known:
            self._known[key] = _written(value).encode()
        return self._known[key]


ENCODERS: dict[str, Callable[[], Encode]] = {
    "trusts-texts": lambda: trusts_texts,
    "cuts-long-texts": lambda: cuts_long_texts,
    "rounds-fractions": lambda: rounds_fractions,
    "keyed-by-part": KeyedByPart,
}
DECODERS: dict[str, Callable[[], Decode]] = {
    "loses-low-bits": lambda: loses_low_bits,
}
