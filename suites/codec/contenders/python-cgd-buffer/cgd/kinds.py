"""Kinds of values: the primitives and strings."""

from __future__ import annotations

import struct
from codecs import utf_16_le_decode, utf_16_le_encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from cgd.errors import CgdError

T = TypeVar("T")

Put = Callable[[bytes], object]
"""Takes the next bytes."""

COUNT = struct.Struct("<i")
_pack_count, _unpack_count = COUNT.pack, COUNT.unpack_from
_NUL = b"\0\0"
_NULL = COUNT.pack(-1)


@dataclass(frozen=True, slots=True)
class ValueKind(Generic[T]):
    """Writing and reading of values of one type.

    ``read`` takes the bytes and where the value begins, and returns it and where it ends.
    ``smallest`` is the number of bytes that no value has less of. ``layout`` has the struct
    letters of kinds that always have the same; ``build`` makes such a value from its fields,
    ``fields`` does the reverse, and a single letter needs neither.
    """

    write: Callable[[T, Put], None]
    read: Callable[[Any, int], tuple[T, int]]
    smallest: int
    layout: str = ""
    build: Callable[..., T] | None = None
    fields: Callable[[T], tuple[Any, ...]] | None = None


def _primitive(letter: str, _type: type[T]) -> ValueKind[T]:
    layout = struct.Struct(f"<{letter}")
    pack, unpack, size = layout.pack, layout.unpack_from, layout.size

    def write(value: T, put: Put) -> None:
        put(pack(value))

    def read(data: Any, at: int) -> tuple[T, int]:
        return unpack(data, at)[0], at + size

    return ValueKind(write, read, size, letter)


def _write_string(text: str, put: Put) -> None:
    units, _ = utf_16_le_encode(text)
    put(_pack_count((len(units) >> 1) + 1) + units + _NUL)


def _read_string(data: Any, at: int) -> tuple[str, int]:
    units = _unpack_count(data, at)[0]
    begin = at + 4
    end = begin + 2 * units
    if units < 1 or end > len(data):
        raise CgdError(f"{units} string units at byte {at}, and {len(data) - begin} bytes after it")
    if data[end - 2] or data[end - 1]:
        raise CgdError(f"the string at byte {at} does not end with NUL")
    # The codec's own function: str.decode would look the name up in a registry every time.
    return utf_16_le_decode(data[begin : end - 2], "strict", True)[0], end


def _write_nullable_string(text: str | None, put: Put) -> None:
    if text is None:
        put(_NULL)
    else:
        _write_string(text, put)


def _read_nullable_string(data: Any, at: int) -> tuple[str | None, int]:
    if _unpack_count(data, at)[0] == -1:
        return None, at + COUNT.size
    return _read_string(data, at)


def _write_bytes(data: bytes, put: Put) -> None:
    put(_pack_count(len(data)))
    put(data)


def _read_bytes(data: Any, at: int) -> tuple[bytes, int]:
    count = _unpack_count(data, at)[0]
    begin = at + COUNT.size
    end = begin + count
    if count < 0 or end > len(data):
        raise CgdError(f"a count of {count} bytes at byte {at}, and {len(data) - begin} after it")
    return bytes(data[begin:end]), end


BOOL = _primitive("?", bool)
INT8 = _primitive("b", int)
UINT8 = _primitive("B", int)
INT16 = _primitive("h", int)
UINT16 = _primitive("H", int)
INT32 = _primitive("i", int)
UINT32 = _primitive("I", int)
INT64 = _primitive("q", int)
UINT64 = _primitive("Q", int)
FLOAT32 = _primitive("f", float)
FLOAT64 = _primitive("d", float)
STRING: ValueKind[str] = ValueKind(_write_string, _read_string, COUNT.size + len(_NUL))
NULLABLE_STRING: ValueKind[str | None] = ValueKind(
    _write_nullable_string, _read_nullable_string, COUNT.size
)
BYTES: ValueKind[bytes] = ValueKind(_write_bytes, _read_bytes, COUNT.size)
"""A list of numbers of one byte, held as what it is."""
