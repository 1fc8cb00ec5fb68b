"""The standard library's pickle, protocol 5: dataclasses as they are."""

from __future__ import annotations

import pickle
import platform
from functools import partial

from codec_harness import DATACLASSES, Codec, Contender, serve

from wirelab_sdk import Spec


def contender(spec: Spec) -> Contender:
    """With the protocol that the spec asks for."""
    dumps = partial(pickle.dumps, protocol=spec.parameter("protocol", 5))
    return Contender(
        library="pickle",
        version=platform.python_version(),
        format="pickle",
        form=DATACLASSES,
        subject=lambda _shape: Codec(dumps, pickle.loads),
    )


if __name__ == "__main__":
    serve(contender)
