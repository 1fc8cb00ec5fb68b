"""The shapes as a Python program would hold them: dataclasses, lists and dictionaries.

``T3`` is a ``list[int]``, ``T4`` a ``list[str]``, ``T5`` a ``dict[str, list[int]]``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class T1:
    """Ten primitives; the names say their widths in other languages."""

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


@dataclass(slots=True)
class T2:
    """Eight strings."""

    s1: str
    s2: str
    s3: str
    s4: str
    s5: str
    s6: str
    s7: str
    s8: str


@dataclass(slots=True)
class Point:
    """A reading of a sensor."""

    time: int
    value: float
    quality: int


@dataclass(slots=True)
class Telemetry:
    """Readings in the order of their time."""

    points: list[Point]


@dataclass(slots=True)
class Author:
    """Author of a message."""

    id: int
    name: str
    active: bool


@dataclass(slots=True)
class Position:
    """A place on the board, in pixels."""

    x: int
    y: int


@dataclass(slots=True)
class Stroke:
    """A line on the board."""

    color: str
    width: float
    points: list[Position]


@dataclass(slots=True)
class Chat:
    """A message of a whiteboard."""

    id: str
    sent: int
    board: str
    author: Author
    text: str
    mentions: list[str]
    strokes: list[Stroke]
