"""The fold of every shape, held as dictionaries and lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import trunc
from typing import Any

from codec_harness.folds_of_plain import (
    of_eight_strings,
    of_string,
    of_strings,
    of_t3,
    of_t4,
    of_t5,
)


def of_t1(value: dict[str, Any]) -> int:
    """Ten primitives."""
    total: int = (
        value["c"]
        + 3 * value["uc"]
        + 5 * value["i16"]
        + 7 * value["u16"]
        + 9 * value["i32"]
        + 11 * value["u32"]
        + 13 * value["i64"]
        + 15 * value["u64"]
        + 17 * trunc(value["f"])
        + 19 * trunc(value["d"])
    )
    return total


def of_t2(value: dict[str, str]) -> int:
    """Eight strings."""
    return of_eight_strings(
        (
            value["s1"],
            value["s2"],
            value["s3"],
            value["s4"],
            value["s5"],
            value["s6"],
            value["s7"],
            value["s8"],
        )
    )


def of_telemetry(value: dict[str, Any]) -> int:
    """A thousand points: field by field, so that most of it is done in C."""
    points = value["points"]
    total: int = (
        101 * len(points)
        + 3 * sum([point["time"] for point in points])
        + 5 * sum(map(trunc, [point["value"] for point in points]))
        + 7 * sum([point["quality"] for point in points])
    )
    return total


def of_chat(value: dict[str, Any]) -> int:
    """A message with its author, mentions and strokes."""
    author, mentions, strokes = value["author"], value["mentions"], value["strokes"]
    total: int = 3 * of_string(value["id"]) + 5 * value["sent"] + 7 * of_string(value["board"])
    total += 9 * author["id"] + 11 * of_string(author["name"]) + 13 * author["active"]
    total += 15 * of_string(value["text"]) + 101 * (len(mentions) + len(strokes))
    total += of_strings(mentions)
    for stroke in strokes:
        total += 17 * of_string(stroke["color"]) + 19 * trunc(stroke["width"])
        for point in stroke["points"]:
            total += 21 * point["x"] + 23 * point["y"]
    return total


FOLDS: Mapping[str, Callable[[Any], int]] = {
    "T1": of_t1,
    "T2": of_t2,
    "T3": of_t3,
    "T4": of_t4,
    "T5": of_t5,
    "telemetry": of_telemetry,
    "chat": of_chat,
}
