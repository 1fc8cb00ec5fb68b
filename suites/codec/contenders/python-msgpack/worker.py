"""msgpack: dictionaries and lists to MessagePack and back."""

from __future__ import annotations

from importlib.metadata import version

import msgpack
from codec_harness import MAPPINGS, Codec, Contender, serve

from wirelab_sdk import Spec

# packb makes a Packer, and the buffer of 256 KiB that it has, in every call.
_PACKER = msgpack.Packer()


CODEC = Codec(_PACKER.pack, msgpack.unpackb)


def contender(_spec: Spec) -> Contender:
    """Make the contender that is measured."""
    return Contender(
        library="msgpack",
        version=version("msgpack"),
        format="msgpack",
        form=MAPPINGS,
        subject=lambda _shape: CODEC,
        versions=lambda _version: CODEC,
    )


if __name__ == "__main__":
    serve(contender)
