"""msgpack: dictionaries and lists to MessagePack and back."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import msgpack
from codec_harness import MAPPINGS, Codec, CodecContender, Large, serve

from wirelab_sdk import Spec

# packb makes a Packer, and the buffer of 256 KiB that it has, in every call.
_PACKER = msgpack.Packer()


def writer(sink: Any) -> Callable[[Any], object]:
    """Values follow each other: each says where it ends."""
    return lambda record: sink.write(_PACKER.pack(record))


CODEC = Codec(_PACKER.pack, msgpack.unpackb)
LARGE = Large(blob=CODEC, writer=writer, reader=msgpack.Unpacker)


def contender(_spec: Spec) -> CodecContender:
    """Make the contender that is measured."""
    return CodecContender(
        library="msgpack",
        version=version("msgpack"),
        format="msgpack",
        form=MAPPINGS,
        subject=lambda _shape: CODEC,
        versions=lambda _version: CODEC,
        large=LARGE,
    )


if __name__ == "__main__":
    serve(contender)
