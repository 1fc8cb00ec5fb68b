"""msgspec: structs to JSON or MessagePack and back, as the tuning ``format`` says."""

from __future__ import annotations

from typing import Any

import msgspec
from codec_harness import Codec, CodecContender, objects, serve
from records import large_of
from structs import CLASSES, TYPES, Point
from versions import VERSIONS

from wirelab_sdk import Spec, SpecError


def json_codec(kind: Any) -> Codec:
    """Encoder and decoder are kept, as the library's documentation asks for."""
    encoder, decoder = msgspec.json.Encoder(), msgspec.json.Decoder(kind)
    return Codec(encoder.encode, decoder.decode)


def msgpack_codec(kind: Any) -> Codec:
    """The same in MessagePack."""
    encoder, decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(kind)
    return Codec(encoder.encode, decoder.decode)


CODECS = {"json": json_codec, "msgpack": msgpack_codec}


def version_codec(kind: Any, codec: Codec) -> Codec:
    """From dictionaries to structs of a version of the record, and back."""
    return Codec(
        lambda value: codec.encode(msgspec.convert(value, kind)),
        lambda data: msgspec.to_builtins(codec.decode(data)),
    )


def contender(spec: Spec) -> CodecContender:
    """In the format that the spec asks for."""
    chosen = spec.parameter("format", "json")
    if chosen not in CODECS:
        raise SpecError(f"parameter format must be one of {', '.join(CODECS)}, found {chosen!r}")
    codec = CODECS[chosen]
    return CodecContender(
        library="msgspec",
        version=msgspec.__version__,
        format=chosen,
        form=objects(CLASSES),
        subject=lambda shape: codec(TYPES[shape]),
        versions=lambda version: version_codec(VERSIONS[version], codec(VERSIONS[version])),
        large=large_of(chosen, codec(bytes), codec(Point)),
    )


if __name__ == "__main__":
    serve(contender)
