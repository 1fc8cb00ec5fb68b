"""Audits: a loop's work on inputs that were changed in place, whose results are looked at later.

*Audits* in the suite's ``README.md`` says what is done in which order. Whoever keeps results for an
input that he has seen before, gives the same object twice or looks into his input later gives
another checksum here, or in the batches that follow.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle, pairwise
from typing import Any

from codec_harness.answers import CallResult
from codec_harness.codecs import Codec, MessageCodec, encoded, native_of
from codec_harness.drawn_inputs import Drawing
from codec_harness.kinds import kinds_of
from codec_harness.loops import MASK
from codec_harness.patching import can_swap, own_copy, swap_content
from codec_harness.pools import Pool
from codec_harness.refusals import Refusal, accepts
from codec_harness.repeated import Encoded, Folded, Repeated
from codec_harness.swapping import swap

_MEANWHILE_PART = 16
"""A batch is longer by this much than the most iterations, beyond one of each input, before results
are looked at.
"""

_REFUSED_AT_ONCE = 4
"""Bad inputs of an audit: to refuse one may take as long as to decode it."""

_OTHERWISE, _UNKNOWN = 1 << 24, 1 << 20
"""Amounts added to a checksum by a bad input that is not treated as at first, and by a value with
drawn fields that does not come back: nothing else adds just that.
"""

_DRAWN_AT_ONCE = 4
"""Values with drawn fields of an audit."""

_BYTES = (bytes, bytearray)
_NUMBERS = {int, float}
"""A library may give one for the other, where the format has one kind of number."""

Change = Callable[[], None]
Look = Callable[[Any, Any], int]
"""The fold of a result; one more where it is not what is wanted, to the last letter and type."""


@dataclass(frozen=True, slots=True)
class Audit:
    """An audit of inputs.

    ``change`` puts their twins in their places, and undoes that when it is called again.
    ``meanwhile`` is work that a codec may take for the next iterations: a result that it gives
    twice is another one by then. ``spoil`` does to results what their owner may do: change them.
    ``unheard_of`` tries what nobody can have known, and returns what that adds to the checksum.
    """

    inputs: Sequence[Any]
    change: Change
    produce: Callable[[Any], Any]
    meanwhile: Change
    look: Look
    wanted: Sequence[Any]
    spoil: Callable[[Sequence[Any]], None]
    unheard_of: Callable[[], int]

    def __call__(self) -> int:
        """Checksum of one iteration of each input."""
        self.change()
        try:
            results = [self.produce(one) for one in self.inputs]
        finally:
            self.change()
        otherwise = self.unheard_of()
        self.meanwhile()
        checksum = (sum(map(self.look, results, self.wanted)) + otherwise) & MASK
        self.spoil(results)
        return checksum


def audit_of(
    operation: str,
    codec: Codec | MessageCodec,
    pool: Pool,
    run: Repeated,
    refusals: Sequence[Refusal],
) -> Audit | None:
    """The audit of an operation with this loop; None where nothing comes of it."""
    if not isinstance(run, Folded | Encoded):
        return None
    inputs, natives = run.values, _trading(run.values, pool.twins)
    before, twins = pool.neutrals, pool.neutral_twins
    look, look_at_native = _look(codec, pool), _look_at_native(pool)
    once, meanwhile = run.once, partial(_go_on, run)
    tried = partial(_tried_on_drawn, Drawing(operation, codec, pool, inputs, once))
    if operation == "decode":
        change = _replacing(inputs, [own_copy(encoded(codec, twin)) for twin in pool.twins])
        spoil = _spoil if isinstance(codec, Codec) else _left

        def tried_both() -> int:
            return tried() + _refused(once, refusals)

        return Audit(inputs, change, once, meanwhile, look, twins, spoil, tried_both)
    if operation == "encode":
        # The fold of bytes sees only some of them.
        decoded = _look_when_decoded(codec, look)
        if isinstance(codec, Codec):
            return Audit(inputs, natives, once, meanwhile, decoded, twins, _left, tried)
        return Audit(inputs, _unchanged, once, meanwhile, decoded, before, _left, tried)
    if operation == "round_trip":
        return Audit(inputs, natives, once, meanwhile, look_at_native, twins, _spoil, tried)
    if operation == "to_message":
        # A message may refer to the value that it was made of: it is looked at at once.
        looked_at = _looked_at_once(once, look, twins)
        return Audit(inputs, natives, looked_at, meanwhile, _itself, twins, _left, tried)
    return Audit(inputs, _unchanged, once, meanwhile, look_at_native, before, _left, tried)


def _tried_on_drawn(drawing: Drawing) -> int:
    """Amount added by values with drawn fields that do not come back."""
    return _UNKNOWN * sum(not drawing.comes_back() for _ in range(_DRAWN_AT_ONCE))


def _go_on(run: Repeated) -> None:
    """More iterations than there are inputs: as many results have been given since."""
    run(len(run.values) + secrets.randbelow(run.most // _MEANWHILE_PART + 1))


def _refused(once: Callable[[Any], Any], refusals: Sequence[Refusal]) -> int:
    """Amount added by bad inputs that the decoder no longer treats as it did at first."""
    chosen = random.SystemRandom().sample(refusals, min(_REFUSED_AT_ONCE, len(refusals)))
    otherwise = sum(accepts(once, own_copy(one.content)) != one.is_accepted for one in chosen)
    return _OTHERWISE * otherwise


def _trading(values: Sequence[Any], twins: Sequence[Any]) -> Change:
    """A change that has each value swap what it holds with its twin."""

    def change() -> None:
        for value, twin in zip(values, twins, strict=True):
            swap(value, twin)

    return change


def _replacing(encodings: list[bytes], others: list[bytes]) -> Change:
    """A change that patches encodings where they lie, and puts copies of those of another length in
    their places: by its address nobody knows what an input holds.
    """

    def change() -> None:
        for place, (one, other) in enumerate(zip(encodings, others, strict=True)):
            if can_swap(one, other):
                swap_content(one, other)
            else:
                encodings[place], others[place] = own_copy(other), one

    return change


def _unchanged() -> None:
    """A library's messages have no twins that they could swap with."""


def _look(codec: Codec | MessageCodec, pool: Pool) -> Look:
    fold = codec.fold if isinstance(codec, MessageCodec) else pool.fold
    is_other = _is_other(pool)
    return lambda result, wanted: fold(result) + is_other(native_of(codec, result), wanted)


def _look_at_native(pool: Pool) -> Look:
    fold, is_other = pool.fold, _is_other(pool)
    return lambda result, wanted: fold(result) + is_other(result, wanted)


def _is_other(pool: Pool) -> Callable[[Any, Any], bool]:
    """Whether a native value is not what is wanted, or only looks like it."""
    neutral = pool.neutral
    kinds = _NUMBERS.union({tuple}, *map(kinds_of, pool.natives))
    return lambda native, wanted: neutral(native) != wanted or not kinds_of(native) <= kinds


def _look_when_decoded(codec: Codec | MessageCodec, look: Look) -> Look:
    decode = codec.decode

    def looked(data: Any, wanted: Any) -> int:
        call = CallResult.of(decode, data)
        if call.error is not None:
            return 1  # encoded so that nobody can read it
        return look(call.result, wanted) + (type(data) not in _BYTES)

    return looked


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
