"""The standard library's pickle, protocol 5: dataclasses as they are."""

from __future__ import annotations

import pickle
import platform
from collections.abc import Callable
from functools import partial
from typing import Any

from codec_harness import DATACLASSES, Codec, Contender, serve
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


def contender(spec: Spec) -> Contender:
    """With the protocol that the spec asks for."""
    dumps = partial(pickle.dumps, protocol=spec.parameter("protocol", 5))
    return Contender(
        library="pickle",
        version=platform.python_version(),
        format="pickle",
        form=DATACLASSES,
        subject=lambda _shape: Codec(dumps, pickle.loads),
        versions=lambda version: version_codec(version, dumps),
    )


if __name__ == "__main__":
    serve(contender)
