"""The answers that show whether a codec is right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from codec_harness.answers import CallResult, write_call
from codec_harness.codecs import Codec, MessageCodec, encoded, native_of
from codec_harness.pools import Pool
from wirelab_sdk import Answers

_OVERWRITTEN = b"\xaa"

Neutral = Callable[[Any], Any]


def write_preflight(
    codec: Codec | MessageCodec, pool: Pool, neutral: Neutral, answers: Answers
) -> list[bytes]:
    """Encode every instance twice, in reverse the second time; then decode the first encodings,
    and return them.

    ``bytes`` cannot be overwritten, so what is decoded here are copies in ``bytearray``: a value
    that still looked into them would show.
    """
    names = {"phase": "preflight", "step": pool.shape}
    first: list[bytearray] = []
    for tick, native in enumerate([*pool.natives, *reversed(pool.natives)]):
        call = CallResult.of(encoded, codec, native)
        write_call(answers, call, call.answer(_hex), **names, operation="encode", tick=tick)
        if tick < len(pool.natives):
            first.append(bytearray(call.result or b""))
    decoded = [CallResult.of(codec.decode, encoding) for encoding in first]
    encodings = [bytes(encoding) for encoding in first]
    for encoding in first:
        encoding[:] = _OVERWRITTEN * len(encoding)
    for tick, call in enumerate(decoded):
        answer = value_of(codec, neutral, call)
        write_call(answers, call, answer, **names, operation="decode", tick=tick)
    return encodings


def value_of(codec: Codec | MessageCodec, neutral: Neutral, call: CallResult) -> dict[str, Any]:
    """The decoded value as an answer."""
    return call.answer(lambda decoded: {"value": neutral(native_of(codec, decoded))})


def _hex(encoding: bytes) -> dict[str, str]:
    return {"hex": encoding.hex()}
