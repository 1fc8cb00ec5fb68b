"""CGD.buffer's wire format: append on one side, extract on the other."""

from __future__ import annotations

from typing import Any

from cgd import Reader, Writer
from codec_harness import DATACLASSES, Codec, Contender, serve
from kinds import KINDS

from wirelab_sdk import Spec


def codec(shape: str) -> Codec:
    """Of one shape."""
    kind = KINDS[shape]

    def encode(value: Any) -> bytes:
        return Writer().append(kind, value).to_bytes()

    def decode(data: Any) -> Any:
        return Reader(data).extract(kind)

    return Codec(encode, decode)


def contender(_spec: Spec) -> Contender:
    """What is measured."""
    return Contender(
        library="CGD buffer, clean room",
        version="0.1.0",
        format="cgd",
        form=DATACLASSES,
        subject=codec,
    )


if __name__ == "__main__":
    serve(contender)
