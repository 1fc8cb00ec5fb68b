"""orjson: dictionaries and lists to JSON bytes and back."""

from __future__ import annotations

import orjson
from codec_harness import MAPPINGS, Codec, Contender, serve

from wirelab_sdk import Spec


def contender(_spec: Spec) -> Contender:
    """What is measured."""
    return Contender(
        library="orjson",
        version=orjson.__version__,
        format="json",
        form=MAPPINGS,
        subject=lambda _shape: Codec(orjson.dumps, orjson.loads),
    )


if __name__ == "__main__":
    serve(contender)
