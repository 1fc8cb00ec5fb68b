"""cbor2: dictionaries and lists to CBOR and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any

import cbor2
from codec_harness import MAPPINGS, Codec, CodecContender, Large, serve

from wirelab_sdk import Spec

CODEC = Codec(cbor2.dumps, cbor2.loads)


def writer(sink: Any) -> Callable[[Any], object]:
    """One encoder for all records."""
    return cbor2.CBOREncoder(sink).encode


def reader(source: Any) -> Iterator[Any]:
    """One decoder for all records; the end of the file is an error to it."""
    decode = cbor2.CBORDecoder(source).decode
    while True:
        try:
            yield decode()
        except cbor2.CBORDecodeEOF:
            return


LARGE = Large(blob=CODEC, writer=writer, reader=reader)


def contender(_spec: Spec) -> CodecContender:
    """Make the contender that is measured."""
    return CodecContender(
        library="cbor2",
        version=version("cbor2"),
        format="cbor",
        form=MAPPINGS,
        subject=lambda _shape: CODEC,
        versions=lambda _version: CODEC,
        large=LARGE,
    )


if __name__ == "__main__":
    serve(contender)
