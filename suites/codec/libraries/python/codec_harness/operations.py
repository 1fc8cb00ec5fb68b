"""Operations that a subject has, and the loop of each on a pool."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from codec_harness import loops
from codec_harness.codecs import Baseline, Codec, MessageCodec, Subject, encoded
from codec_harness.pools import Pool

Timed = Callable[[int], int]
"""Runs that many rounds and returns their checksum."""

_PREPARED_MODULUS = 251
_COPIED_AT_LEAST = 8


def names_of(subject: Subject) -> list[str]:
    """The operations of the suite that it has."""
    if isinstance(subject, Baseline):
        return ["copy", "touch"]
    if isinstance(subject, MessageCodec):
        convert = ["to_message", "encode", "decode", "from_message"]
        return [*convert, "round_trip", "round_trip_unused"]
    return ["encode", "decode", "round_trip", "round_trip_unused"]


def loop_of(operation: str, subject: Subject, pool: Pool) -> Timed:
    """The loop of an operation; raises what the library raises while its inputs are made."""
    if isinstance(subject, Baseline):
        return _of_baseline(operation, pool)
    if isinstance(subject, MessageCodec):
        return _of_messages(operation, subject, pool)
    return _of_natives(operation, subject, pool)


def _of_natives(operation: str, codec: Codec, pool: Pool) -> Timed:
    natives = pool.natives
    if operation == "encode":
        return _own(loops.encoding, operation, pool, natives, codec.encode)
    if operation == "decode":
        encodings = _encodings(codec, pool)
        return _own(loops.converting, operation, pool, encodings, codec.decode, pool.fold)
    if operation == "round_trip":
        return _own(loops.round_trip, operation, pool, natives, codec, pool.fold)
    if operation == "round_trip_unused":
        return _own(loops.unused_round_trip, operation, pool, natives, codec)
    raise KeyError(operation)


def _of_messages(operation: str, codec: MessageCodec, pool: Pool) -> Timed:
    natives = pool.natives
    if operation == "to_message":
        return _own(loops.converting, operation, pool, natives, codec.to_message, codec.fold)
    if operation == "encode":
        messages = [codec.to_message(native) for native in natives]
        return _own(loops.encoding, operation, pool, messages, codec.encode)
    if operation == "decode":
        encodings = _encodings(codec, pool)
        return _own(loops.converting, operation, pool, encodings, codec.decode, codec.fold)
    if operation == "from_message":
        # What comes in was decoded; a message that was built may be laid out in another way.
        messages = [codec.decode(encoding) for encoding in _encodings(codec, pool)]
        return _own(loops.converting, operation, pool, messages, codec.from_message, pool.fold)
    if operation == "round_trip":
        return _own(loops.message_round_trip, operation, pool, natives, codec, pool.fold)
    if operation == "round_trip_unused":
        return _own(loops.unused_message_round_trip, operation, pool, natives, codec)
    raise KeyError(operation)


def _of_baseline(operation: str, pool: Pool) -> Timed:
    if operation == "copy":
        lengths = [_copied_length(value) for value in pool.neutrals]
        prepared = bytes(k % _PREPARED_MODULUS for k in range(max(lengths) + 1))
        return _own(loops.copying, operation, pool, lengths, prepared)
    if operation == "touch":
        return _own(loops.touching, operation, pool, pool.natives, pool.fold)
    raise KeyError(operation)


def _own(
    loop: loops.Loop, operation: str, pool: Pool, values: Sequence[Any], *called: Any
) -> Timed:
    """The loop on these values, in code of its own."""
    copy = loops.fresh_copy(loop, f"{operation}_{pool.shape}")

    def run(rounds: int) -> int:
        return copy(rounds, values, *called)

    return run


def _encodings(codec: Codec | MessageCodec, pool: Pool) -> list[bytes]:
    return [encoded(codec, native) for native in pool.natives]


def _copied_length(value: Any) -> int:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return max(_COPIED_AT_LEAST, len(text) // 4)
