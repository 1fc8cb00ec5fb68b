"""The loops that are timed, one for each way of working.

A loop runs ``iterations`` iterations, iteration i on value i mod their number, and returns the
suite's checksum. ``cycle`` and ``islice`` are C, so an iteration costs little beyond what is
called.

CPython 3.11 keeps what it has learned about types in the code object itself. ``fresh_copy`` gives
every shape and operation a code object of its own, as a user's program would have it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle, islice
from types import FunctionType
from typing import Any

from codec_harness.codecs import Codec, MessageCodec

MASK = 0xFFFF_FFFF

Loop = Callable[..., int]


def fresh_copy(loop: Loop, name: str) -> Loop:
    """The same function with code that has seen no types yet."""
    if not isinstance(loop, FunctionType):
        return loop  # written in C
    code = loop.__code__.replace(co_name=name)
    copy = FunctionType(code, loop.__globals__, name, loop.__defaults__, loop.__closure__)
    copy.__kwdefaults__ = loop.__kwdefaults__
    return copy


def encoding(
    iterations: int, values: Sequence[Any], encode: Callable[[Any], bytes], last: list[bytes]
) -> int:
    """``encode``: from a message or native value to bytes, whose fold is written out here.

    ``last`` is left with the last of them.
    """
    total, data = 0, b""
    for value in islice(cycle(values), iterations):
        data = encode(value)
        if data:
            length = len(data)
            total += 7 * length + data[0] + 3 * data[length >> 1] + 5 * data[-1]
    last[:] = [data]
    return total & MASK


def converting(
    iterations: int,
    values: Sequence[Any],
    convert: Callable[[Any], Any],
    fold: Callable[[Any], int],
) -> int:
    """``to_message``, ``decode`` and ``from_message``: one call, whose result is folded."""
    total = 0
    for value in islice(cycle(values), iterations):
        total += fold(convert(value))
    return total & MASK


def round_trip(
    iterations: int, natives: Sequence[Any], codec: Codec, fold: Callable[[Any], int]
) -> int:
    """``round_trip`` without a message between.

    What was decoded takes the place of what was encoded. A ``str`` keeps its UTF-8 once a library
    has asked for it, and a value encoded over and over would never be converted again; in a
    program, values come in and go out once.
    """
    encode, decode = codec.encode, codec.decode
    values = list(natives)
    total = 0
    for index in islice(cycle(range(len(values))), iterations):
        values[index] = value = decode(encode(values[index]))
        total += fold(value)
    return total & MASK


def message_round_trip(
    iterations: int, natives: Sequence[Any], codec: MessageCodec, fold: Callable[[Any], int]
) -> int:
    """``round_trip`` through the library's messages; values take their places as above."""
    to_message, encode = codec.to_message, codec.encode
    decode, from_message = codec.decode, codec.from_message
    values = list(natives)
    total = 0
    for index in islice(cycle(range(len(values))), iterations):
        values[index] = value = from_message(decode(encode(to_message(values[index]))))
        total += fold(value)
    return total & MASK


def unused_round_trip(iterations: int, natives: Sequence[Any], codec: Codec) -> int:
    """``round_trip_unused``: nobody looks at the result."""
    encode, decode = codec.encode, codec.decode
    for value in islice(cycle(natives), iterations):
        decode(encode(value))
    return 0


def unused_message_round_trip(iterations: int, natives: Sequence[Any], codec: MessageCodec) -> int:
    """``round_trip_unused`` through the library's messages."""
    to_message, encode = codec.to_message, codec.encode
    decode, from_message = codec.decode, codec.from_message
    for value in islice(cycle(natives), iterations):
        from_message(decode(encode(to_message(value))))
    return 0


def copying(iterations: int, lengths: Sequence[int], prepared: bytes) -> int:
    """``copy``: as many bytes of ``prepared``, which must be longer, as each length says.

    A slice of all of it would be the same object and no copy.
    """
    total = 0
    for wanted in islice(cycle(lengths), iterations):
        data = prepared[:wanted]
        length = len(data)
        total += 7 * length + data[0] + 3 * data[length >> 1] + 5 * data[-1]
    return total & MASK


def touching(iterations: int, natives: Sequence[Any], fold: Callable[[Any], int]) -> int:
    """``touch``: folding what is there."""
    total = 0
    for value in islice(cycle(natives), iterations):
        total += fold(value)
    return total & MASK
