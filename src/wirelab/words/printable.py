"""Text of strangers as it may be shown: what steers a terminal or turns text around is spelt out.

Manifests, workers and stored runs are text of others. A control character, or one that changes the
direction of what follows, is written as its escape wherever such text comes in, so that neither a
terminal nor HTML, Markdown or a chart ever has it. Line breaks and tabs stay.
"""

from __future__ import annotations

import re
from typing import Any

_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters but tab and line feed
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # directions
    "\u2028\u2029\ufeff\ufff9-\ufffb\ufffe\uffff"  # separators, marks, no characters
    "\ud800-\udfff"  # halves of pairs, which nothing can encode
    "\U000e0000-\U000e007f]"  # tags, which nothing shows
)


def printable(text: str) -> str:
    """``text`` with each such character as an escape, such as ``\\x1b``."""
    return _STEERING.sub(_spelt, text)


def _spelt(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def may_steer(json: bytes) -> bool:
    """Whether a JSON text holds such a character, or an escape that could be one: a quick look."""
    # A byte that is no UTF-8 becomes half of a pair, which is found as well.
    return b"\\u" in json or _STEERING.search(json.decode(errors="surrogateescape")) is not None


def all_printable(document: Any) -> Any:
    """Make every text of JSON or TOML printable, and every key."""
    match document:
        case str():
            return printable(document)
        case dict():
            return {all_printable(key): all_printable(value) for key, value in document.items()}
        case list():
            return [all_printable(one) for one in document]
        case _:
            return document
