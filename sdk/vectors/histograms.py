"""HdrHistograms as the interval file has them: written from what describes their encoding V2."""

from __future__ import annotations

import base64
import struct
import zlib

_LOWEST, _HIGHEST, _DIGITS = 1_000, 120 * 10**9, 3
_UNIT, _HALF = 9, 10
"""Bits below the lowest duration, and of half of a bucket: 2,048 parts for three digits."""


def counters(durations: list[int]) -> list[int]:
    """Counters of an HdrHistogram up to the last that holds something."""
    found: list[int] = []
    for ns in durations:
        bucket = (ns | ((2 << _HALF) - 1) << _UNIT).bit_length() - _UNIT - _HALF - 1
        at = ((bucket + 1) << _HALF) + (ns >> bucket + _UNIT) - (1 << _HALF)
        found += [0] * (at + 1 - len(found))
        found[at] += 1
    return found


def encoded(durations: list[int]) -> str:
    """The HdrHistogram V2 encoding, in the form of the compressed one, base64."""
    numbers: list[int] = []
    for count in counters(durations):
        if count == 0 and numbers and numbers[-1] < 0:
            numbers[-1] -= 1
        else:
            numbers.append(count or -1)
    payload = b"".join(leb128(n << 1 if n >= 0 else (-n << 1) - 1) for n in numbers)
    about = (0x1C849313, len(payload), 0, _DIGITS, _LOWEST, _HIGHEST, 1.0)
    # Stored as it is: each zlib makes a smaller one in its own way.
    packed = zlib.compress(struct.pack(">IIIIqqd", *about) + payload, 0)
    return base64.b64encode(struct.pack(">II", 0x1C849314, len(packed)) + packed).decode()


def leb128(number: int) -> bytes:
    """A number in groups of seven bits, the lowest first."""
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + leb128(rest) if rest else bytes([low])
