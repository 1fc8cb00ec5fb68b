"""Encodings that were cut off, and what a decoder said to them when it was asked first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple


class Refusal(NamedTuple):
    """A bad input, and whether it was decoded all the same."""

    content: bytes
    is_accepted: bool


def refusals_of(decode: Callable[[Any], Any], encodings: Sequence[bytes]) -> list[Refusal]:
    """The answers of a decoder to encodings without their last byte."""
    cuts = [encoding[:-1] for encoding in encodings]
    return [Refusal(cut, accepts(decode, cut)) for cut in cuts]


def accepts(decode: Callable[[Any], Any], content: bytes) -> bool:
    """Whether a decoder takes this for an encoding."""
    try:
        decode(content)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:
        # A panic of a library written in Rust is no Exception.
        return False
    return True
