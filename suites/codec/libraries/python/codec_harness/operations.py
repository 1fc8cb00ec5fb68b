"""Operations that a subject has, and the loop of each on a pool."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from codec_harness import loops
from codec_harness.audits import audit_of
from codec_harness.codecs import Baseline, Codec, MessageCodec, Subject, encoded
from codec_harness.patching import own_copy
from codec_harness.pools import Pool
from codec_harness.refusals import Refusal
from codec_harness.repeated import Encoded, Folded, Repeated
from wirelab_sdk import Loop

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


def loop_of(operation: str, subject: Subject, pool: Pool, refusals: Sequence[Refusal] = ()) -> Loop:
    """The loop of an operation; raises what the library raises while its inputs are made.

    ``refusals`` is what its decoder said to bad inputs when it was asked first.
    """
    size = len(pool.natives)
    if isinstance(subject, Baseline):
        return Loop(_of_baseline(operation, pool), size)
    inputs = _inputs(operation, subject, pool)
    if isinstance(subject, MessageCodec):
        run = _of_messages(operation, subject, pool, inputs)
    else:
        run = _of_natives(operation, subject, pool, inputs)
    return Loop(run, size, audit_of(operation, subject, pool, run, refusals))


def _inputs(operation: str, codec: Codec | MessageCodec, pool: Pool) -> list[Any]:
    """The inputs of an operation: natives, encodings or messages."""
    if operation == "decode":
        return _encodings(codec, pool)
    if isinstance(codec, MessageCodec):
        if operation == "encode":
            return [codec.to_message(native) for native in pool.natives]
        if operation == "from_message":
            # What comes in was decoded; a message that was built may be laid out in another way.
            return [codec.decode(encoding) for encoding in _encodings(codec, pool)]
    return pool.natives


def _of_natives(operation: str, codec: Codec, pool: Pool, inputs: list[Any]) -> Repeated:
    name = _own_name(operation, pool)
    if operation == "encode":
        return Encoded(loops.encoding, name, inputs, [codec.encode, []])
    if operation == "decode":
        return Folded(loops.converting, name, inputs, [codec.decode, pool.fold])
    if operation == "round_trip":
        return Folded(loops.round_trip, name, inputs, [codec, pool.fold])
    if operation == "round_trip_unused":
        return Repeated(loops.unused_round_trip, name, inputs, [codec])
    raise KeyError(operation)


def _of_messages(operation: str, codec: MessageCodec, pool: Pool, inputs: list[Any]) -> Repeated:
    name = _own_name(operation, pool)
    if operation == "to_message":
        return Folded(loops.converting, name, inputs, [codec.to_message, codec.fold])
    if operation == "encode":
        return Encoded(loops.encoding, name, inputs, [codec.encode, []])
    if operation == "decode":
        return Folded(loops.converting, name, inputs, [codec.decode, codec.fold])
    if operation == "from_message":
        return Folded(loops.converting, name, inputs, [codec.from_message, pool.fold])
    if operation == "round_trip":
        return Folded(loops.message_round_trip, name, inputs, [codec, pool.fold])
    if operation == "round_trip_unused":
        return Repeated(loops.unused_message_round_trip, name, inputs, [codec])
    raise KeyError(operation)


def _of_baseline(operation: str, pool: Pool) -> Repeated:
    name = _own_name(operation, pool)
    if operation == "copy":
        lengths = [_copied_length(value) for value in pool.neutrals]
        prepared = bytes(k % _PREPARED_MODULUS for k in range(max(lengths) + 1))
        return Repeated(loops.copying, name, lengths, [prepared])
    if operation == "touch":
        return Repeated(loops.touching, name, pool.natives, [pool.fold])
    raise KeyError(operation)


def _own_name(operation: str, pool: Pool) -> str:
    return f"{operation}_{pool.shape}"


def _encodings(codec: Codec | MessageCodec, pool: Pool) -> list[bytes]:
    return [own_copy(encoded(codec, native)) for native in pool.natives]


def _copied_length(value: Any) -> int:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return max(_COPIED_AT_LEAST, len(text) // 4)
