"""CGD.buffer's wire format: append on one side, extract on the other."""

from __future__ import annotations

from typing import Any

from cgd import BYTES, Reader, ValueKind, Writer
from codec_harness import DATACLASSES, Codec, CodecContender, Large, MessageCodec, serve
from kinds import KINDS, POINT
from versions import LEVELS, VERSIONS

from wirelab_sdk import Spec


def codec(shape: str) -> Codec:
    """Make the codec of one shape."""
    return codec_of(KINDS[shape])


def codec_of(kind: ValueKind[Any]) -> Codec:
    """Make the codec of a kind."""

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


def large() -> Large:
    """Records follow each other without anything between, and all of them have the same size."""
    point = codec_of(POINT)
    return Large(
        blob=codec_of(BYTES),
        writer=lambda sink: lambda record: sink.write(point.encode(record)),
        reader=lambda source: map(point.decode, iter(lambda: source.read(POINT.smallest), b"")),
    )


def contender(_spec: Spec) -> CodecContender:
    """Make the contender that is measured."""
    return CodecContender(
        library="CGD buffer, clean room",
        version="0.1.0",
        format="cgd",
        form=DATACLASSES,
        subject=codec,
        versions=version_codec,
        large=large(),
    )


if __name__ == "__main__":
    serve(contender)
