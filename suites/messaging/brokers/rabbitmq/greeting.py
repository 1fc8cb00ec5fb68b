"""The greeting of a RabbitMQ, which tells whoever connects what it is."""

from __future__ import annotations

import asyncio
import struct

_PROTOCOL = b"AMQP\x00\x00\x09\x01"
_FRAME = struct.Struct(">BHI")
_METHOD = 1
_START = bytes((0, 10, 0, 10))


async def version_at(host: str, port: int) -> str | None:
    """The version among the properties of the first frame; None where it is no AMQP 0-9-1.

    ConnectionResetError where the greeting breaks off.
    """
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(_PROTOCOL)
        kind, _, size = _FRAME.unpack(await reader.readexactly(_FRAME.size))
        if kind != _METHOD:
            return None
        properties = await reader.readexactly(size)
    except asyncio.IncompleteReadError as error:
        raise ConnectionResetError("its greeting ended too early") from error
    finally:
        writer.close()
    if not properties.startswith(_START):
        return None
    _, found, after = properties.partition(b"\x07versionS")
    length = int.from_bytes(after[:4], "big")
    return after[4 : 4 + length].decode() if found else "unknown"
