"""Single iterations of an operation on values with drawn fields, which no codec can have built in.

Each goes in as an input that the codec knows: native values and encodings hold something else for
one iteration, and stay the objects that they are.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from codec_harness.answers import CallResult
from codec_harness.codecs import Codec, MessageCodec, encoded, native_of
from codec_harness.drawing import drawn
from codec_harness.patching import can_swap, own_copy, swap_content
from codec_harness.pools import Pool
from codec_harness.swapping import swap

_DRAW = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class Drawing:
    """An operation, its inputs, and one iteration of it."""

    operation: str
    codec: Codec | MessageCodec
    pool: Pool
    inputs: list[Any]
    once: Callable[[Any], Any]

    def comes_back(self) -> bool:
        """Do one iteration on an input whose fields were drawn: whether it is what comes back. What
        the codec itself cannot write, or read again, does not.
        """
        place = _DRAW.randrange(len(self.inputs))
        wanted = drawn(self.pool.neutrals[place])
        native = self.pool.make(copy.deepcopy(wanted))
        call = CallResult.of(self._iteration, place, native)
        return call.error is None and bool(self.pool.neutral(call.result) == wanted)

    def _iteration(self, place: int, native: Any) -> Any:
        """The native value that the operation gives, or that comes of what it gives."""
        codec, known = self.codec, self.inputs[place]
        if self.operation == "decode":
            return native_of(codec, self._decoded(known, own_copy(encoded(codec, native))))
        if isinstance(codec, MessageCodec) and self.operation == "encode":
            return native_of(codec, codec.decode(self.once(codec.to_message(native))))
        if self.operation == "from_message":
            assert isinstance(codec, MessageCodec)
            return self.once(codec.decode(encoded(codec, native)))
        swap(known, native)
        try:
            result = self.once(known)
            # A message may refer to the value that it was made of.
            made = native_of(codec, result) if self.operation == "to_message" else result
        finally:
            swap(known, native)
        return native_of(codec, codec.decode(made)) if self.operation == "encode" else made

    def _decoded(self, known: bytes, encoding: bytes) -> Any:
        if not can_swap(known, encoding):
            return self.once(encoding)
        swap_content(known, encoding)
        try:
            return self.once(known)
        finally:
            swap_content(known, encoding)
