"""Values after each other: appended to a buffer, extracted from one."""

from __future__ import annotations

import struct
from typing import Any, TypeVar

from cgd.errors import CgdError
from cgd.kinds import ValueKind

T = TypeVar("T")

_UNUSABLE = (struct.error, OverflowError, UnicodeError)
"""Errors of struct and the UTF-16 codec for values and bytes that do not fit."""


class Writer:
    """Collects what is appended."""

    __slots__ = ("_parts",)

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def append(self, kind: ValueKind[T], value: T) -> Writer:
        """Add a value; CgdError when its kind cannot hold it: the writer is then of no use."""
        try:
            kind.write(value, self._parts.append)
        except _UNUSABLE as error:
            raise CgdError(str(error)) from error
        return self

    def to_bytes(self) -> bytes:
        """Everything appended so far."""
        return b"".join(self._parts)


class Reader:
    """Goes through bytes from their beginning; they may be any bytes-like object with items."""

    __slots__ = ("_at", "_data")

    def __init__(self, data: Any) -> None:
        self._data = data
        self._at = 0

    def extract(self, kind: ValueKind[T]) -> T:
        """The next value; CgdError when the bytes are not one."""
        try:
            value, self._at = kind.read(self._data, self._at)
        except _UNUSABLE as error:
            raise CgdError(str(error)) from error
        return value

    @property
    def left(self) -> int:
        """Bytes that nothing was extracted from yet."""
        return len(self._data) - self._at
