"""Protocol Buffers for Python, on its C implementation upb."""

from __future__ import annotations

import google.protobuf
from codec_harness import DATACLASSES, CodecContender, MessageCodec, serve
from messages import CODECS
from records import LARGE
from versions import version_codec

from wirelab_sdk import Spec


def codec(shape: str) -> MessageCodec:
    """Make the codec of one shape."""
    return CODECS[shape]


def contender(_spec: Spec) -> CodecContender:
    """Make the contender that is measured."""
    return CodecContender(
        library="protobuf",
        version=google.protobuf.__version__,
        format="protobuf",
        form=DATACLASSES,
        subject=codec,
        versions=version_codec,
        large=LARGE,
    )


if __name__ == "__main__":
    serve(contender)
