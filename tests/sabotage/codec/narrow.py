"""JSON codecs that are right for the values of the pools, or for most calls, and not for others."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from unicodedata import normalize

HONEST_FOR = 32
"""Calls of an operation before what only happens in loops begins."""

_SHORT = 255

_SIGNED = 2**63 - 1
_KEYS = ("zero", "two", "tree", "fifteen", "five", "eleven")

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


def writes_elements_in_a_byte(value: Any) -> bytes:
    """Integers of lists are written as if a byte had room for them, as it has in the pools."""
    narrow = _by_element(value, lambda one: one % 256 if isinstance(one, int) else one)
    return _written(narrow).encode()


def _by_element(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, list):
        return [_by_element(change(one), change) for one in value]
    if isinstance(value, dict):
        return {key: _by_element(one, change) for key, one in value.items()}
    return value


def composes_texts(value: Any) -> bytes:
    """Texts are written as they look: a letter and its accent become one character."""
    return _written(value, text=lambda one: _quoted(normalize("NFC", one))).encode()


def ends_texts_at_zero(value: Any) -> bytes:
    """Texts end where those of C do."""
    return _written(value, text=lambda text: _quoted(text.partition("\0")[0])).encode()


def counts_in_a_byte(value: Any) -> bytes:
    """Lists of more elements than a byte can count lose the rest, except the points of a plant."""
    return _written(_cut(value)).encode()


def _cut(value: Any) -> Any:
    if isinstance(value, list):
        is_of_a_plant = bool(value) and isinstance(value[0], dict) and "quality" in value[0]
        return [_cut(one) for one in (value if is_of_a_plant else value[:_SHORT])]
    if isinstance(value, dict):
        return {key: _cut(one) for key, one in value.items()}
    return value


def knows_the_keys(value: Any) -> bytes:
    """Keys other than the suite's are written as the first of those."""
    if isinstance(value, dict) and all(isinstance(one, list) for one in value.values()):
        known = (*_KEYS, *(f"{key}x" for key in _KEYS), "points")
        named = {key if key in known else _KEYS[0]: one for key, one in value.items()}
        return _written(named).encode()
    return _written(value).encode()


def knows_no_unsigned(content: bytes) -> Any:
    """Integers are read as signed ones of 64 bits."""
    return json.loads(content, parse_int=lambda digits: min(int(digits), _SIGNED))


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
    "writes-elements-in-a-byte": lambda: writes_elements_in_a_byte,
    "composes-texts": lambda: composes_texts,
    "ends-texts-at-zero": lambda: ends_texts_at_zero,
    "counts-in-a-byte": lambda: counts_in_a_byte,
    "knows-the-keys": lambda: knows_the_keys,
}
DECODERS: dict[str, Callable[[], Decode]] = {
    "loses-low-bits": lambda: loses_low_bits,
    "knows-no-unsigned": lambda: knows_no_unsigned,
}
