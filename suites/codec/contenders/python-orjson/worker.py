"""orjson: dictionaries and lists to JSON bytes and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from codec_harness import MAPPINGS, Codec, CodecContender, Large, in_base64, serve

from wirelab_sdk import Spec

CODEC = Codec(orjson.dumps, orjson.loads)


def writer(sink: Any) -> Callable[[Any], object]:
    """A line for each record."""
    return lambda record: sink.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))


LARGE = Large(
    blob=in_base64(CODEC),
    writer=writer,
    reader=lambda source: map(orjson.loads, source),
)
"""JSON has no bytes: they are text in base64. Records are JSON Lines."""


def contender(_spec: Spec) -> CodecContender:
    """Make the contender that is measured."""
    return CodecContender(
        library="orjson",
        version=orjson.__version__,
        format="json",
        form=MAPPINGS,
        subject=lambda _shape: CODEC,
        versions=lambda _version: CODEC,
        large=LARGE,
    )


if __name__ == "__main__":
    serve(contender)
