"""Records one after the other: the library frames nothing itself, and its documentation says how.

JSON is a line for each record. MessagePack has four bytes of length before each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from codec_harness import Codec, Large

_LENGTH = 4


def large_of(form: str, blob: Codec, record: Codec) -> Large:
    """For large messages in a format."""
    if form == "json":
        return Large(
            blob=blob,
            writer=lambda sink: lambda value: sink.write(record.encode(value) + b"\n"),
            reader=lambda source: map(record.decode, source),
        )
    return Large(
        blob=blob,
        writer=lambda sink: _prefixed(sink, record),
        reader=lambda source: _unprefixed(source, record),
    )


def _prefixed(sink: Any, record: Codec) -> Callable[[Any], object]:
    def write(value: Any) -> None:
        data = record.encode(value)
        sink.write(len(data).to_bytes(_LENGTH, "big"))
        sink.write(data)

    return write


def _unprefixed(source: Any, record: Codec) -> Iterator[Any]:
    while length := source.read(_LENGTH):
        yield record.decode(source.read(int.from_bytes(length, "big")))
