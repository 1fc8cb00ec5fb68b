"""Two ``bytes`` that swap what they hold, where they lie in memory.

Nobody else may have them: the interpreter takes ``bytes`` for unchangeable.
"""

from __future__ import annotations

import ctypes

_CONTENT = bytes.__basicsize__ - 1
"""Offset of the content: a zero behind it is counted."""

_HASH = _CONTENT - ctypes.sizeof(ctypes.c_ssize_t)
_NOT_KNOWN = -1
_SHARED = 1
"""The interpreter has one object for all contents that are no longer."""


def own_copy(content: bytes | bytearray) -> bytes:
    """The same content in fresh memory."""
    return bytes(bytearray(content))


def can_swap(one: bytes, other: bytes) -> bool:
    """Whether both can hold what the other one holds."""
    return type(one) is type(other) is bytes and len(one) == len(other) > _SHARED


def swap_content(one: bytes, other: bytes) -> None:
    """Give each what the other one holds, and let the interpreter forget their hashes."""
    held = own_copy(one)
    for target, content in ((one, other), (other, held)):
        ctypes.memmove(id(target) + _CONTENT, content, len(content))
        ctypes.c_ssize_t.from_address(id(target) + _HASH).value = _NOT_KNOWN
