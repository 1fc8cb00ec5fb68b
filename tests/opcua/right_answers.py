"""Right answers of reads, of writes and of who learns of changes, by the rules of the README."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from typing import Any

PERIOD = 100_000_000
GENERATION = 20_000_000
EPOCH = 1_000_000_000
START = 5_000_000_000
SECRET = bytes(range(32))
FACTS = {"epoch_ns": EPOCH, "generation_ns": GENERATION}

Answer = dict[str, Any]
Verify = Callable[[dict[str, Any], dict[str, Any], list[Any]], list[str]]


@cache
def drawn(generation: int, part: int, secret: bytes) -> list[int]:
    """The numbers of sixteen tags."""
    message = generation.to_bytes(8, "little") + part.to_bytes(4, "little")
    digest = hashlib.sha512(secret + message).digest()
    return [int.from_bytes(digest[at : at + 4], "little") & 0x7FFF_FFFF for at in range(0, 64, 4)]


def value_of(tag: int, generation: int) -> int | float | str:
    """The README's rules, written down a second time; the number of a write is 900000 or more."""
    if generation >= 900_000:
        x = (tag * 7919 + generation * 104729) % (1 << 31)
    else:
        x = drawn(generation, tag // 16, SECRET)[tag % 16]
    if tag <= 999:
        return x
    return x / 1000.0 if tag <= 1799 else "tag" + str(tag).zfill(4) + "-" + str(x).zfill(10)


def trial(**changes: Any) -> dict[str, Any]:
    spec = {
        "parameters": {"tags": 2000, "write_tags": 200, "probe": "read"},
        "operations": {
            "read": {"code": 1, "every": 1, "items": 2000},
            "write": {"code": 2, "every": 10, "items": 200},
        },
        "schedule": {"first_ns": 0, "period_ns": PERIOD, "count": 600, "warmup": 30},
        "verify": {"preflight": {"read": 2, "write": 1}},
        "start_ns": START,
    }
    return {**spec, "secret": SECRET.hex(), **changes}


def read(tick: int, written: int | None, phase: str = "measure", at: int | None = None) -> Answer:
    """A right answer of a read that took 10 ms; ``written``: what written tags show."""
    start = START + tick * PERIOD + 200_000 if at is None else at
    generation = (start + 5_000_000 - EPOCH) // GENERATION
    values = [
        value_of(tag, generation if tag % 10 or written is None else written) for tag in range(2000)
    ]
    answer = {"values": values, "bad": []}
    return {
        "phase": phase,
        "operation": "read",
        "tick": tick,
        "start_ns": start,
        "end_ns": start + 10_000_000,
        "answer": answer,
    }


def write(tick: int, phase: str = "measure", at: int | None = None) -> Answer:
    """A right answer of a write that took 3 ms."""
    start = START + tick * PERIOD + 300_000 if at is None else at
    base = 1_000_000 if phase == "measure" else 900_000
    return {
        "phase": phase,
        "operation": "write",
        "tick": tick,
        "start_ns": start,
        "end_ns": start + 3_000_000,
        "answer": {"sequence": base + tick, "bad": []},
    }


def right_answers() -> list[Answer]:
    return [
        read(0, None, "preflight", at=START - 900_000_000),
        read(1, None, "preflight", at=START - 800_000_000),
        write(0, "preflight", at=START - 700_000_000),
        read(31, 1_000_030),
        write(240),
        read(240, 1_000_230),
        read(245, 1_000_240),
    ]


def only(answers: list[Answer], tick: int) -> Answer:
    return next(a for a in answers if a["tick"] == tick and a["operation"] == "read")


def learnt(tick: int, change: int, phase: str = "measure") -> Answer:
    """An answer of a notification; change 0 is what held before the first tick."""
    start = START + tick * PERIOD + 100_000 if phase == "measure" else START - 900_000_000
    return {
        "phase": phase,
        "operation": "notification",
        "tick": tick,
        "start_ns": start,
        "end_ns": start + 60_000_000,
        "answer": {"values": [value_of(tag, change) for tag in range(500)], "bad": []},
    }


def learning_trial() -> dict[str, Any]:
    return trial(
        operations={"notification": {"code": 5, "every": 1, "items": 500}},
        verify={"preflight": {"notification": 1}},
    )
