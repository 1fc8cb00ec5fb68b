"""Copying bytes and touching native values: what no codec can be faster than."""

from __future__ import annotations

import platform

from codec_harness import DATACLASSES, Baseline, CodecContender, serve

from wirelab_sdk import Spec


def contender(_spec: Spec) -> CodecContender:
    """Make the contender that is measured."""
    return CodecContender(
        library="CPython",
        version=platform.python_version(),
        format="none",
        form=DATACLASSES,
        subject=lambda _shape: Baseline(),
    )


if __name__ == "__main__":
    serve(contender)
