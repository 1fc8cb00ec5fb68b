"""Interfaces that a contender implements for each shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Codec:
    """A library that codes native values themselves.

    ``decode`` takes any bytes-like object, and raises what the library raises.
    """

    encode: Callable[[Any], bytes]
    decode: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class MessageCodec:
    """A library whose messages are types of its own; ``fold`` reads them by their accessors."""

    to_message: Callable[[Any], Any]
    encode: Callable[[Any], bytes]
    decode: Callable[[Any], Any]
    from_message: Callable[[Any], Any]
    fold: Callable[[Any], int]


@dataclass(frozen=True, slots=True)
class Baseline:
    """No codec: copying bytes, touching values."""


Subject = Codec | MessageCodec | Baseline
"""A subject of measurement on one shape."""


def encoded(codec: Codec | MessageCodec, native: Any) -> bytes:
    """The encoding of a native value."""
    if isinstance(codec, MessageCodec):
        return codec.encode(codec.to_message(native))
    return codec.encode(native)


def native_of(codec: Codec | MessageCodec, decoded: Any) -> Any:
    """The native value of what was decoded."""
    return codec.from_message(decoded) if isinstance(codec, MessageCodec) else decoded
