"""The checksum rules of ``README.md``, once more and in the plainest form."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from .pools import pool, twins

MASK = 0xFFFFFFFF
_COPIED_AT_LEAST = 8
_PREPARED_MODULUS = 251

T1_FIELDS = ("c", "uc", "i16", "u16", "i32", "u32", "i64", "u64", "f", "d")


def units(text: str, strings: str) -> Sequence[int]:
    """A string as numbers: bytes of UTF-8, units of UTF-16, or code points."""
    if strings == "utf-8":
        return text.encode()
    if strings == "utf-16":
        return memoryview(text.encode("utf-16-le")).cast("H")
    if strings == "code-point":
        return [ord(character) for character in text]
    raise ValueError(f"strings must be utf-8, utf-16 or code-point, found {strings!r}")


def of_value(shape: str, value: Any, strings: str) -> int:
    """The fold of a neutral value."""

    def s(text: str) -> int:
        its = units(text, strings)
        return len(its) + 31 * its[0] + 17 * its[-1] if its else 0

    def listed(folded: list[int]) -> int:
        return sum((2 * number + 1) * one for number, one in enumerate(folded))

    if shape == "T1":
        total = listed([int(value[name]) for name in T1_FIELDS])
    elif shape == "T2":
        total = listed([s(value[f"s{number}"]) for number in range(1, 9)])
    elif shape == "T3":
        total = 101 * len(value) + listed(value)
    elif shape == "T4":
        total = 101 * len(value) + listed([s(text) for text in value])
    elif shape == "T5":
        total = 101 * len(value) + sum(3 * s(k) + 5 * listed(v) for k, v in value.items())
    elif shape == "telemetry":
        points = value["points"]
        total = 101 * len(points)
        total += sum(3 * p["time"] + 5 * int(p["value"]) + 7 * p["quality"] for p in points)
    else:
        total = _of_chat(value, s, listed)
    return total & MASK


def _of_chat(value: Any, s: Any, listed: Any) -> int:
    author, mentions, strokes = value["author"], value["mentions"], value["strokes"]
    total = 3 * s(value["id"]) + 5 * value["sent"] + 7 * s(value["board"])
    total += 9 * author["id"] + 11 * s(author["name"]) + 13 * int(author["active"])
    total += 15 * s(value["text"]) + 101 * (len(mentions) + len(strokes))
    total += listed([s(name) for name in mentions])
    for stroke in strokes:
        total += 17 * s(stroke["color"]) + 19 * int(stroke["width"])
        total += sum(21 * point["x"] + 23 * point["y"] for point in stroke["points"])
    return int(total)


def of_bytes(encoded: bytes) -> int:
    """The fold of an encoding."""
    if not encoded:
        return 0
    middle = encoded[len(encoded) // 2]
    return (7 * len(encoded) + encoded[0] + 3 * middle + 5 * encoded[-1]) & MASK


@cache
def of_pool(shape: str, strings: str) -> tuple[int, ...]:
    """The fold of each instance of a pool."""
    return tuple(of_value(shape, value, strings) for value in pool(shape))


@cache
def of_twins(shape: str, strings: str) -> tuple[int, ...]:
    """The fold of the twin of each instance of a pool."""
    return tuple(of_value(shape, value, strings) for value in twins(shape))


@cache
def of_copies(shape: str) -> tuple[int, ...]:
    """Folds of the baseline's copies of each instance."""
    texts = [
        json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        for value in pool(shape)
    ]
    lengths = [max(_COPIED_AT_LEAST, len(text) // 4) for text in texts]
    return tuple(of_bytes(bytes(k % _PREPARED_MODULUS for k in range(n))) for n in lengths)


def of_iterations(folds: Sequence[int], iterations: int) -> int:
    """The checksum of a batch: iteration i works on instance i mod pool size."""
    cycles, rest = divmod(iterations, len(folds))
    return (cycles * sum(folds) + sum(folds[:rest])) & MASK
