"""Frames of the mailbox: length (u32, big-endian), kind (u8), message."""

from __future__ import annotations

import asyncio
import struct

ECHO, BROADCAST, DEAF = 1, 2, 3
"""The last one, of a client alone: it wants nothing that is told to everybody."""

_HEAD = struct.Struct(">IB")


def framed(kind: int, message: bytes) -> bytes:
    """A frame."""
    return _HEAD.pack(len(message), kind) + message


async def read(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Kind and message of the next frame; IncompleteReadError at the end."""
    length, kind = _HEAD.unpack(await reader.readexactly(_HEAD.size))
    return kind, await reader.readexactly(length)
