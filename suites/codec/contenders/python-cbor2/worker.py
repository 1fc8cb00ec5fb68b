"""cbor2: dictionaries and lists to CBOR and back."""

from __future__ import annotations

from importlib.metadata import version

import cbor2
from codec_harness import MAPPINGS, Codec, Contender, serve

from wirelab_sdk import Spec

CODEC = Codec(cbor2.dumps, cbor2.loads)


def contender(_spec: Spec) -> Contender:
    """Make the contender that is measured."""
    return Contender(
        library="cbor2",
        version=version("cbor2"),
        format="cbor",
        form=MAPPINGS,
        subject=lambda _shape: CODEC,
        versions=lambda _version: CODEC,
    )


if __name__ == "__main__":
    serve(contender)
