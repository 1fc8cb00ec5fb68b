"""The standard library's pickle, protocol 5: dataclasses as they are."""

from __future__ import annotations

import pickle
import platform
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from codec_harness import DATACLASSES, Codec, CodecContender, Large, serve
from versions import Version

from wirelab_sdk import Spec


def version_codec(name: str, dumps: Callable[[Any], bytes]) -> Codec:
    """Make the codec of a version of the record, whose classes are there while it works."""
    version = Version.of(name)

    def encode(value: dict[str, Any]) -> bytes:
        version.enter()
        return dumps(version.native(value))

    def decode(data: bytes) -> dict[str, Any]:
        version.enter()
        return version.neutral(pickle.loads(data))

    return Codec(encode, decode)


def large_of(dumps: Callable[[Any], bytes]) -> Large:
    """Each record is a pickle of its own: a Pickler that is kept would remember all of them."""
    return Large(
        blob=Codec(dumps, pickle.loads),
        writer=lambda sink: lambda record: sink.write(dumps(record)),
        reader=_records,
    )


def _records(source: Any) -> Iterator[Any]:
    while source.peek(1):
        yield pickle.load(source)


def contender(spec: Spec) -> CodecContender:
    """With the protocol that the spec asks for."""
    dumps = partial(pickle.dumps, protocol=spec.parameter("protocol", 5))
    return CodecContender(
        library="pickle",
        version=platform.python_version(),
        format="pickle",
        form=DATACLASSES,
        subject=lambda _shape: Codec(dumps, pickle.loads),
        versions=lambda version: version_codec(version, dumps),
        large=large_of(dumps),
    )


if __name__ == "__main__":
    serve(contender)
