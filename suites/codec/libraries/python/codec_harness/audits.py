"""Audits: a loop's work on inputs that were changed in place, whose results are looked at later.

*Audits* in the suite's ``README.md`` says what is done in which order. Whoever keeps results for an
input that he has seen before, gives the same object twice or looks into his input later gives
another checksum here, or in the batches that follow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, pairwise
from typing import Any

from codec_harness.codecs import Codec, MessageCodec, encoded, native_of
from codec_harness.loops import MASK
from codec_harness.pools import Pool
from codec_harness.swapping import swap

Change = Callable[[], None]
Look = Callable[[Any, Any], int]
"""The fold of a result; one more where it is not what is wanted, to the last letter."""


@dataclass(frozen=True, slots=True)
class Audit:
    """An audit of inputs.

    ``change`` puts their twins in their places, and undoes that when it is called again.
    ``spoil`` does to results what their owner may do: change them.
    """

    inputs: Sequence[Any]
    change: Change
    produce: Callable[[Any], Any]
    look: Look
    wanted: Sequence[Any]
    spoil: Callable[[Sequence[Any]], None]

    def __call__(self) -> int:
        """Checksum of one iteration of each input."""
        self.change()
        try:
            results = [self.produce(one) for one in self.inputs]
        finally:
            self.change()
        checksum = sum(map(self.look, results, self.wanted)) & MASK
        self.spoil(results)
        return checksum


def audit_of(
    operation: str, codec: Codec | MessageCodec, pool: Pool, inputs: list[Any]
) -> Audit | None:
    """The audit of an operation whose loop has these inputs; None where nothing comes of it."""
    natives = _trading(inputs, pool.twins)
    before, twins = pool.neutrals, pool.neutral_twins
    look, look_at_native = _look(codec, pool), _look_at_native(pool)
    if operation == "decode":
        change = _replacing(inputs, [encoded(codec, twin) for twin in pool.twins])
        spoil = _spoil if isinstance(codec, Codec) else _left
        return Audit(inputs, change, codec.decode, look, twins, spoil)
    if operation == "encode":
        # The fold of bytes sees only some of them.
        decoded = _look_when_decoded(codec, look)
        if isinstance(codec, Codec):
            return Audit(inputs, natives, codec.encode, decoded, twins, _left)
        return Audit(inputs, _unchanged, codec.encode, decoded, before, _left)
    if operation == "round_trip":
        return Audit(inputs, natives, _round_trip(codec), look_at_native, twins, _spoil)
    if isinstance(codec, MessageCodec):
        if operation == "to_message":
            # A message may refer to the value that it was made of: it is looked at at once.
            looked_at = _looked_at_once(codec.to_message, look, twins)
            return Audit(inputs, natives, looked_at, _itself, twins, _left)
        if operation == "from_message":
            return Audit(inputs, _unchanged, codec.from_message, look_at_native, before, _left)
    return None


def _trading(values: Sequence[Any], twins: Sequence[Any]) -> Change:
    """A change that has each value swap what it holds with its twin."""

    def change() -> None:
        for value, twin in zip(values, twins, strict=True):
            swap(value, twin)

    return change


def _replacing(encodings: list[bytes], others: list[bytes]) -> Change:
    """A change that puts copies of others in their places: ``bytes`` cannot be changed."""

    def change() -> None:
        encodings[:], others[:] = [bytes(bytearray(one)) for one in others], encodings[:]

    return change


def _unchanged() -> None:
    """A library's messages have no twins that they could swap with."""


def _look(codec: Codec | MessageCodec, pool: Pool) -> Look:
    fold = codec.fold if isinstance(codec, MessageCodec) else pool.fold
    neutral = pool.neutral
    return lambda result, wanted: fold(result) + (neutral(native_of(codec, result)) != wanted)


def _look_at_native(pool: Pool) -> Look:
    fold, neutral = pool.fold, pool.neutral
    return lambda result, wanted: fold(result) + (neutral(result) != wanted)


def _look_when_decoded(codec: Codec | MessageCodec, look: Look) -> Look:
    decode = codec.decode
    return lambda data, wanted: look(decode(data), wanted)


def _round_trip(codec: Codec | MessageCodec) -> Callable[[Any], Any]:
    if isinstance(codec, MessageCodec):
        return lambda value: codec.from_message(codec.decode(codec.encode(codec.to_message(value))))
    return lambda value: codec.decode(codec.encode(value))


def _spoil(results: Sequence[Any]) -> None:
    for one, other in pairwise(results):
        swap(one, other)


def _left(results: Sequence[Any]) -> None:
    """Leave them: bytes cannot be changed, and messages may go on with what they gave."""


def _looked_at_once(
    produce: Callable[[Any], Any], look: Look, wanted: Sequence[Any]
) -> Callable[[Any], int]:
    """The look at what each input gives, in their order."""
    turns = cycle(wanted)
    return lambda value: look(produce(value), next(turns))


def _itself(checksum: int, _wanted: Any) -> int:
    return checksum
