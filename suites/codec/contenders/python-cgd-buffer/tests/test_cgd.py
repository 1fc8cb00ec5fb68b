"""The wire format byte for byte, and what a decoder must not believe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from cgd import (
    BOOL,
    FLOAT32,
    INT8,
    INT32,
    INT64,
    STRING,
    UINT16,
    CgdError,
    Reader,
    ValueKind,
    Writer,
    list_of,
    map_of,
    record,
)


@dataclass
class Place:
    x: int
    y: int


@dataclass
class Line:
    name: str
    closed: bool
    width: float
    places: list[Place]
    first: Place


PLACE = record(Place, x=INT32, y=INT32)
LINE = record(Line, name=STRING, closed=BOOL, width=FLOAT32, places=list_of(PLACE), first=PLACE)


def written(kind: ValueKind[Any], value: Any) -> bytes:
    return Writer().append(kind, value).to_bytes()


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (INT8, -2, "fe"),
        (UINT16, 513, "0102"),
        (STRING, "", "010000000000"),
        (STRING, "a한", "0300000061005cd50000"),
        (STRING, "😀", "030000003dd800de0000"),
        (list_of(INT32), [1, -1], "0200000001000000ffffffff"),
        (list_of(PLACE), [Place(1, 2)], "010000000100000002000000"),
        (list_of(STRING), ["", ""], "02000000010000000000010000000000"),
        (map_of(STRING, list_of(INT8)), {"b": [1], "a": []}, None),
        (LINE, Line("l", True, -0.25, [Place(1, 2), Place(3, 4)], Place(5, 6)), None),
    ],
)
def test_what_is_written_is_read_again(
    kind: ValueKind[Any], value: Any, expected: str | None
) -> None:
    data = written(kind, value)
    assert expected is None or data.hex() == expected
    assert Reader(data).extract(kind) == value
    assert Reader(bytearray(data)).extract(kind) == value


def test_values_follow_each_other() -> None:
    data = Writer().append(INT64, -1).append(STRING, "x").append(BOOL, True).to_bytes()
    reader = Reader(data)
    assert (reader.extract(INT64), reader.extract(STRING), reader.left) == (-1, "x", 1)
    assert reader.extract(BOOL) is True
    with pytest.raises(CgdError):
        reader.extract(BOOL)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (LINE, Line("name", True, 2.0, [Place(1, 2), Place(3, 4)], Place(5, 6))),
        (map_of(STRING, list_of(INT32)), {"one": [1], "two": [1, 2]}),
        (list_of(LINE), [Line("", False, 0.0, [], Place(0, 0))] * 2),
    ],
)
def test_what_is_cut_short_is_rejected(kind: ValueKind[Any], value: Any) -> None:
    data = written(kind, value)
    for length in range(len(data)):
        with pytest.raises(CgdError):
            Reader(data[:length]).extract(kind)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (list_of(INT32), "ffffff7f"),
        (list_of(INT32), "ffffff7f0100000002000000"),
        (list_of(PLACE), "ffffff7f"),
        (list_of(STRING), "ffffff7f"),
        (map_of(STRING, INT8), "ffffff7f"),
        (list_of(INT32), "ffffffff"),
        (list_of(INT32), "feffffff"),
        (map_of(STRING, INT8), "ffffffff"),
        (STRING, "ffffffff"),
        (STRING, "00000000"),
        (STRING, "ffffff7f"),
        (STRING, "0200000061006200"),
        (STRING, "0200000000d80000"),
        (STRING, "030000003dde3dd80000"),
    ],
)
def test_what_cannot_be_true_is_rejected(kind: ValueKind[Any], data: str) -> None:
    with pytest.raises(CgdError):
        Reader(bytes.fromhex(data)).extract(kind)


@pytest.mark.parametrize(
    ("kind", "value"), [(INT8, 128), (STRING, "\ud800"), (FLOAT32, 1e300), (PLACE, Place(2**31, 0))]
)
def test_what_a_kind_cannot_hold_is_not_written(kind: ValueKind[Any], value: Any) -> None:
    with pytest.raises(CgdError):
        Writer().append(kind, value)


def test_a_record_needs_a_field() -> None:
    with pytest.raises(TypeError):
        record(Place)


def test_a_record_of_one_row_is_a_record() -> None:
    @dataclass
    class Wrapped:
        place: Place

    kind = record(Wrapped, place=PLACE)
    data = written(list_of(kind), [Wrapped(Place(1, 2))])
    assert Reader(data).extract(list_of(kind)) == [Wrapped(Place(1, 2))]
