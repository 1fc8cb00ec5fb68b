"""Frames of WebSocket (RFC 6455) as both ends send them, in pieces where that is asked for."""

from __future__ import annotations

import os
from typing import IO

CONTINUES, TEXT, CLOSE, PING = 0, 1, 8, 9

_FINAL, _MASKED = 0x80, 0x80
_SHORT, _HALF = 126, 127


def frame(payload: bytes, opcode: int = TEXT, *, final: bool = True, masked: bool) -> bytes:
    """One frame, masked as a client has to."""
    first = bytes([opcode | (_FINAL if final else 0)])
    mask = os.urandom(4) if masked else b""
    size, bit = len(payload), _MASKED if masked else 0
    if size < _SHORT:
        length = bytes([bit | size])
    else:
        length = bytes([bit | _SHORT]) + size.to_bytes(2, "big")
    return first + length + mask + _turned(payload, mask)


def in_pieces(payload: bytes, *, masked: bool) -> bytes:
    """A message in three frames, with a ping between two of them."""
    third = len(payload) // 3
    return (
        frame(payload[:third], TEXT, final=False, masked=masked)
        + frame(b"", PING, masked=masked)
        + frame(payload[third : 2 * third], CONTINUES, final=False, masked=masked)
        + frame(payload[2 * third :], CONTINUES, masked=masked)
    )


def message(stream: IO[bytes]) -> bytes | None:
    """The next message without those of control; None at the end."""
    whole = b""
    while len(head := stream.read(2)) == 2:
        size = head[1] & ~_MASKED
        if size == _SHORT:
            size = int.from_bytes(stream.read(2), "big")
        elif size == _HALF:
            size = int.from_bytes(stream.read(8), "big")
        mask = stream.read(4) if head[1] & _MASKED else b""
        payload = _turned(stream.read(size), mask)
        if head[0] & 0x0F == CLOSE:
            return None
        if head[0] & 0x0F == PING:
            continue
        whole += payload
        if head[0] & _FINAL:
            return whole
    return None


def _turned(payload: bytes, mask: bytes) -> bytes:
    return bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload)) if mask else payload
