"""The suite's shapes as kinds of the CGD format."""

from __future__ import annotations

from typing import Any

from cgd import (
    BOOL,
    FLOAT32,
    FLOAT64,
    INT8,
    INT16,
    INT32,
    INT64,
    STRING,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    ValueKind,
    list_of,
    map_of,
    record,
)
from codec_harness import T1, T2, Author, Chat, Point, Position, Stroke, Telemetry

_T1 = record(
    T1,
    c=INT8,
    uc=UINT8,
    i16=INT16,
    u16=UINT16,
    i32=INT32,
    u32=UINT32,
    i64=INT64,
    u64=UINT64,
    f=FLOAT32,
    d=FLOAT64,
)
_T2 = record(
    T2,
    s1=STRING,
    s2=STRING,
    s3=STRING,
    s4=STRING,
    s5=STRING,
    s6=STRING,
    s7=STRING,
    s8=STRING,
)
POINT = record(Point, time=INT64, value=FLOAT64, quality=INT32)
_AUTHOR = record(Author, id=UINT32, name=STRING, active=BOOL)
_POSITION = record(Position, x=INT32, y=INT32)
_STROKE = record(Stroke, color=STRING, width=FLOAT64, points=list_of(_POSITION))
_CHAT = record(
    Chat,
    id=STRING,
    sent=INT64,
    board=STRING,
    author=_AUTHOR,
    text=STRING,
    mentions=list_of(STRING),
    strokes=list_of(_STROKE),
)

KINDS: dict[str, ValueKind[Any]] = {
    "T1": _T1,
    "T2": _T2,
    "T3": list_of(INT32),
    "T4": list_of(STRING),
    "T5": map_of(STRING, list_of(INT32)),
    "telemetry": record(Telemetry, points=list_of(POINT)),
    "chat": _CHAT,
}
