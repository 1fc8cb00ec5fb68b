"""orjson: dictionaries and lists to JSON bytes and back."""

from __future__ import annotations

import orjson
from codec_harness import MAPPINGS, Codec, Contender, serve

from wirelab_sdk import Spec

CODEC = Codec(orjson.dumps, orjson.loads)


def contender(_spec: Spec) -> Contender:
    """Make the contender that is measured."""
    return Contender(
        library="orjson",
        version=orjson.__version__,
        format="json",
        form=MAPPINGS,
        subject=lambda _shape: CODEC,
        versions=lambda _version: CODEC,
    )


if __name__ == "__main__":
    serve(contender)
