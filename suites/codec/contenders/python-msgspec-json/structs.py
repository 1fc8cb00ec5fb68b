"""The suite's shapes as msgspec's users declare them."""

from __future__ import annotations

from typing import Any

import msgspec
from codec_harness import Classes


class Record(msgspec.Struct, gc=False):
    """None of them can be part of a cycle, so the cyclic collector need not look at them."""


class T1(Record):
    """Ten primitives."""

    c: int
    uc: int
    i16: int
    u16: int
    i32: int
    u32: int
    i64: int
    u64: int
    f: float
    d: float


class T2(Record):
    """Eight strings."""

    s1: str
    s2: str
    s3: str
    s4: str
    s5: str
    s6: str
    s7: str
    s8: str


class Point(Record):
    """A reading of a sensor."""

    time: int
    value: float
    quality: int


class Telemetry(Record):
    """Readings in the order of their time."""

    points: list[Point]


class Author(Record):
    """Author of a message."""

    id: int
    name: str
    active: bool


class Position(Record):
    """A place on the board."""

    x: int
    y: int


class Stroke(Record):
    """A line on the board."""

    color: str
    width: float
    points: list[Position]


class Chat(Record):
    """A message of a whiteboard."""

    id: str
    sent: int
    board: str
    author: Author
    text: str
    mentions: list[str]
    strokes: list[Stroke]


TYPES: dict[str, Any] = {
    "T1": T1,
    "T2": T2,
    "T3": list[int],
    "T4": list[str],
    "T5": dict[str, list[int]],
    "telemetry": Telemetry,
    "chat": Chat,
}

CLASSES = Classes(
    t1=T1,
    t2=T2,
    telemetry=Telemetry,
    point=Point,
    chat=Chat,
    author=Author,
    stroke=Stroke,
    position=Position,
)
