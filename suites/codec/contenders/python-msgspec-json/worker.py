"""msgspec: structs to JSON or MessagePack and back, as the tuning ``format`` says."""

from __future__ import annotations

import msgspec
from codec_harness import Codec, Contender, objects, serve
from structs import CLASSES, TYPES

from wirelab_sdk import Spec, SpecError


def json_codec(shape: str) -> Codec:
    """Encoder and decoder are kept, as the library's documentation asks for."""
    encoder, decoder = msgspec.json.Encoder(), msgspec.json.Decoder(TYPES[shape])
    return Codec(encoder.encode, decoder.decode)


def msgpack_codec(shape: str) -> Codec:
    """The same in MessagePack."""
    encoder, decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(TYPES[shape])
    return Codec(encoder.encode, decoder.decode)


SUBJECTS = {"json": json_codec, "msgpack": msgpack_codec}


def contender(spec: Spec) -> Contender:
    """In the format that the spec asks for."""
    chosen = spec.parameter("format", "json")
    if chosen not in SUBJECTS:
        raise SpecError(f"parameter format must be one of {', '.join(SUBJECTS)}, found {chosen!r}")
    return Contender(
        library="msgspec",
        version=msgspec.__version__,
        format=chosen,
        form=objects(CLASSES),
        subject=SUBJECTS[chosen],
    )


if __name__ == "__main__":
    serve(contender)
