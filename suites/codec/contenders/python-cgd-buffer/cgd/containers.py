"""Lists and maps."""

from __future__ import annotations

import struct
from itertools import starmap
from typing import Any, TypeVar

from cgd.errors import CgdError
from cgd.kinds import COUNT, Put, ValueKind

_pack_count, _unpack_count = COUNT.pack, COUNT.unpack_from

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


def list_of(element: ValueKind[T]) -> ValueKind[list[T]]:
    """A list of elements of one kind."""
    if element.build is not None and element.fields is not None:
        return _list_of_rows(element)
    if element.layout:
        return _list_of_primitives(element)
    write_one, read_one, smallest = element.write, element.read, element.smallest

    def write(values: list[T], put: Put) -> None:
        put(_pack_count(len(values)))
        for value in values:
            write_one(value, put)

    def read(data: Any, at: int) -> tuple[list[T], int]:
        count = _count(data, at, smallest)
        at += 4
        values = []
        for _ in range(count):
            value, at = read_one(data, at)
            values.append(value)
        return values, at

    return ValueKind(write, read, COUNT.size)


def map_of(key: ValueKind[K], value: ValueKind[V]) -> ValueKind[dict[K, V]]:
    """A dictionary, in the order it has."""
    write_key, write_value = key.write, value.write
    read_key, read_value = key.read, value.read
    smallest = key.smallest + value.smallest

    def write(values: dict[K, V], put: Put) -> None:
        put(_pack_count(len(values)))
        for one, its in values.items():
            write_key(one, put)
            write_value(its, put)

    def read(data: Any, at: int) -> tuple[dict[K, V], int]:
        count = _count(data, at, smallest)
        at += 4
        values = {}
        for _ in range(count):
            one, at = read_key(data, at)
            values[one], at = read_value(data, at)
        return values, at

    return ValueKind(write, read, COUNT.size)


def _list_of_primitives(element: ValueKind[T]) -> ValueKind[list[T]]:
    """All of the list in one call of struct, which keeps the formats it has seen."""
    letter, size = element.layout, element.smallest

    def write(values: list[T], put: Put) -> None:
        count = len(values)
        put(struct.pack(f"<i{count}{letter}", count, *values))

    def read(data: Any, at: int) -> tuple[list[T], int]:
        count = _count(data, at, size)
        at += 4
        return list(struct.unpack_from(f"<{count}{letter}", data, at)), at + count * size

    return ValueKind(write, read, COUNT.size)


def _list_of_rows(element: ValueKind[T]) -> ValueKind[list[T]]:
    """Records that have nothing but primitives, and so are rows of the same layout."""
    layout = struct.Struct(f"<{element.layout}")
    pack, rows, size = layout.pack, layout.iter_unpack, layout.size
    build, fields = element.build, element.fields
    assert build is not None
    assert fields is not None

    def write(values: list[T], put: Put) -> None:
        put(_pack_count(len(values)))
        put(b"".join([pack(*fields(value)) for value in values]))

    def read(data: Any, at: int) -> tuple[list[T], int]:
        count = _count(data, at, size)
        at += 4
        end = at + count * size
        return list(starmap(build, rows(data[at:end]))), end

    return ValueKind(write, read, COUNT.size)


def _count(data: Any, at: int, smallest: int) -> int:
    """The count at a place, when as many of the smallest elements can follow it."""
    count = _unpack_count(data, at)[0]
    left = len(data) - at - 4
    if count < 0 or count * smallest > left:
        raise CgdError(f"a count of {count} at byte {at}, which {left} bytes cannot hold")
    return int(count)
