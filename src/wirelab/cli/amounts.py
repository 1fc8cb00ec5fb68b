"""Shares, times and sizes as options have them."""

from __future__ import annotations

import re

from wirelab.model.mistake import MistakeError
from wirelab.model.units import parse_size

_UNITS_S = {"s": 1, "m": 60, "min": 60, "h": 3600}
_TIME = re.compile(r"(\d{1,6}(?:\.\d+)?)\s*(s|m|min|h)")
_SHARE = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*%")
_LEAST = 0.001
_LEAST_BYTES = 16 << 20
"""Less than any worker needs."""


class AmountError(MistakeError):
    """An option whose value is no share, no time or no size."""


def share(option: str, text: str) -> float:
    """A percentage as a share of one."""
    match = _SHARE.fullmatch(text.strip())
    value = float(match[1]) / 100 if match else 0.0
    if not _LEAST <= value <= 1:
        raise AmountError(f"{option} {text}: expected a percentage from 0.1% to 100%, such as 5%")
    return value


def nanoseconds(option: str, text: str) -> int:
    """A time in minutes or the like."""
    match = _TIME.fullmatch(text.strip())
    seconds = float(match[1]) * _UNITS_S[match[2]] if match else 0.0
    if seconds <= 0:
        raise AmountError(f"{option} {text}: expected a time such as 90s, 30m or 2h")
    return round(seconds * 1e9)


def bytes_of(option: str, text: str) -> int:
    """A size with its unit."""
    try:
        size = parse_size(text)
    except ValueError:
        size = 0
    if size < _LEAST_BYTES:
        raise AmountError(f"{option} {text}: expected 16MiB or more, such as 512MiB or 4GiB")
    return size
