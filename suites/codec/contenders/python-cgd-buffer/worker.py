"""CGD.buffer's wire format: append on one side, extract on the other."""

from __future__ import annotations

from typing import Any

from cgd import Reader, Writer
from codec_harness import DATACLASSES, Codec, Contender, MessageCodec, serve
from kinds import KINDS
from versions import LEVELS, VERSIONS

from wirelab_sdk import Spec


def codec(shape: str) -> Codec:
    """Make the codec of one shape."""
    kind = KINDS[shape]

    def encode(value: Any) -> bytes:
        return Writer().append(kind, value).to_bytes()

    def decode(data: Any) -> Any:
        return Reader(data).extract(kind)

    return Codec(encode, decode)


def version_codec(version: str) -> MessageCodec:
    """Make the codec of a version of the record of ``evolution``; a level is its number."""
    reading, kind = VERSIONS[version]

    def to_message(value: dict[str, Any]) -> Any:
        return reading(**{**value, "level": LEVELS.index(value["level"])})

    def encode(value: Any) -> bytes:
        return Writer().append(kind, value).to_bytes()

    def decode(data: Any) -> Any:
        return Reader(data).extract(kind)

    return MessageCodec(to_message, encode, decode, from_message=vars, fold=hash)


def contender(_spec: Spec) -> Contender:
    """Make the contender that is measured."""
    return Contender(
        library="CGD buffer, clean room",
        version="0.1.0",
        format="cgd",
        form=DATACLASSES,
        subject=codec,
        versions=version_codec,
    )


if __name__ == "__main__":
    serve(contender)
