"""Large messages: what has to come out of them, and the memory they took.

What is written is defined in ``README.md`` by a rule instead of a file: byte k of a blob is k mod
251, record k is point k mod 1,000 of the first instance of ``telemetry``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .folds import MASK
from .pools import pool

Json = Mapping[str, Any]

FORMS = ("blob", "whole", "stream")
TO_BYTES, FROM_BYTES = DIRECTIONS = ("to_bytes", "from_bytes")
"""The directions, at the places that are the ticks of their answers."""

_MEGABYTE = 1_000_000
_RECORD_BYTES = 20
_MODULUS = 251

_EXACT = {("cgd", "blob"): 4, ("cgd", "whole"): 4, ("cgd", "stream"): 0}
"""Bytes that these take beside the data: a count, and nothing else."""


def is_step(step: str) -> bool:
    """Whether a step is one of large messages."""
    return step.partition("-")[0] in FORMS


def judged(
    step: str, form: str, answers: Iterable[Json], batches: Iterable[Json]
) -> dict[str, Any]:
    """``wrong`` and ``figures`` of a step; a contender without answers has no figures."""
    given = {answer["tick"]: answer for answer in answers if answer["operation"] == "once"}
    wrong = [problem for tick in (0, 1) if (problem := _problem(step, form, tick, given))]
    told = {tick: one["answer"] for tick, one in given.items() if "answer" in one}
    if not wrong:
        wrong = _wrong_batches(step, told, batches)
    return {"wrong": wrong, "figures": _figures(told), "remarks": {}}


def size_of(step: str) -> int:
    """Bytes of the data of a step."""
    return int(step.partition("-")[2]) * _MEGABYTE


def _problem(step: str, form: str, tick: int, given: Mapping[int, Json]) -> str:
    direction = DIRECTIONS[tick]
    if tick not in given:
        return f"{direction}: no answer"
    if "error" in given[tick]:
        error = given[tick]["error"]
        return f"{direction} threw {error['class']}: {error['message']}"
    answer = given[tick]["answer"]
    if direction == FROM_BYTES:
        expected = _fold(step)
        found = answer["fold"]
        return "" if found == expected else f"{direction} gave the fold {found}, not {expected}"
    beside = _EXACT.get((form, step.partition("-")[0]))
    if beside is not None and answer["size"] != size_of(step) + beside:
        return f"{direction} gave {answer['size']} bytes, not {size_of(step) + beside}"
    return ""


def _wrong_batches(step: str, told: Mapping[int, Json], batches: Iterable[Json]) -> list[str]:
    folds = {TO_BYTES: _of_ends(told[0]), FROM_BYTES: _fold(step)}
    found: dict[str, str] = {}
    for batch in batches:
        name = batch["operation"]
        if name in found or "checksum" not in batch:
            continue
        expected = batch["rounds"] * folds[name] & MASK
        if batch["checksum"] != expected:
            found[name] = (
                f"{name}: {batch['rounds']} iterations gave the checksum {batch['checksum']}, "
                f"not {expected}"
            )
    return list(found.values())


def _figures(told: Mapping[int, Json]) -> dict[str, tuple[float, str]]:
    """Bytes written, and the memory of each direction where the kernel could tell."""
    found: dict[str, tuple[float, str]] = {}
    if 0 in told:
        found["encoded.size"] = (told[0]["size"], "B")
    for tick, answer in told.items():
        if "peak_bytes" in answer:
            taken = max(0, answer["peak_bytes"] - answer["before_bytes"])
            name = f"{DIRECTIONS[tick].replace('_', '-')}.memory"
            found[name] = (taken / _MEGABYTE, "MB")
    return found


def _of_ends(answer: Json) -> int:
    """The fold of what was written; nobody knows the middle of a stream."""
    total = 7 * answer["size"] + answer["first"] + 3 * answer.get("middle", 0) + 5 * answer["last"]
    return int(total) & MASK


def _fold(step: str) -> int:
    """The fold of what is read."""
    size = size_of(step)
    if step.startswith("blob"):
        last = (size - 1) % _MODULUS
        return (7 * size + 3 * (size // 2 % _MODULUS) + 5 * last) & MASK
    points = pool("telemetry")[0]["points"]
    count = size // _RECORD_BYTES
    each = sum(3 * p["time"] + 5 * int(p["value"]) + 7 * p["quality"] for p in points)
    return int(101 * count + count // len(points) * each) & MASK
