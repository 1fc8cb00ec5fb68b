"""The value a decoder made of an input that nobody should have written, in few characters."""

from __future__ import annotations

import json
from typing import Any

_TELLING = {
    "above-2^53": ("u64",),
    "above-2^64": ("u64",),
    "double-overflow": ("d",),
    "nan": ("d",),
}
"""The fields of T1 that a vector is about."""

_LONGEST = 28


def shown(vector: str, value: Any) -> str:
    """Write ``value`` as JSON of at most 28 characters; halves of characters by their escapes.

    A record keeps this text in place of the value: whole numbers of more than 64 bits and halves
    of characters are what these vectors provoke, and no record can hold them.
    """
    if isinstance(value, dict) and (fields := _TELLING.get(vector)):
        value = {field: value.get(field) for field in fields}
    words = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    words = words.encode("utf-8", "backslashreplace").decode("utf-8")
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"
