"""The standard library's json: dictionaries and lists to UTF-8 and back."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from typing import Any

from codec_harness import MAPPINGS, Codec, CodecContender, Large, in_base64, serve

from wirelab_sdk import Spec

# json.dumps makes an encoder in every call that has options; ASCII would double what is written.
_TEXT_OF = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def encode(value: Any) -> bytes:
    """UTF-8 without spaces."""
    return _TEXT_OF(value).encode()


def decode(data: bytes | bytearray) -> Any:
    """Decoded here, because json.loads would guess the encoding first and let surrogates pass."""
    return json.loads(data.decode())


def writer(sink: Any) -> Callable[[Any], object]:
    """A line for each record."""
    return lambda record: sink.write(encode(record) + b"\n")


CODEC = Codec(encode, decode)
LARGE = Large(
    blob=in_base64(CODEC),
    writer=writer,
    reader=lambda source: map(decode, source),
)
"""JSON has no bytes: they are text in base64. Records are JSON Lines."""


def contender(_spec: Spec) -> CodecContender:
    """Make the contender that is measured."""
    return CodecContender(
        library="json",
        version=platform.python_version(),
        format="json",
        form=MAPPINGS,
        subject=lambda _shape: CODEC,
        versions=lambda _version: CODEC,
        large=LARGE,
    )


if __name__ == "__main__":
    serve(contender)
