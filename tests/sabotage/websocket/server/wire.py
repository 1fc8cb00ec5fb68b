"""WebSocket on the wire (RFC 6455): no more of it than the generator needs, and freely broken."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10

_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_FINAL, _MASKED = 0x80, 0x80


def acceptance(request: bytes) -> bytes:
    """The answer to a handshake; ValueError when the request is none."""
    lines = (line.partition(b":") for line in request.split(b"\r\n")[1:])
    fields = {name.strip().lower(): value.strip() for name, _, value in lines}
    if b"sec-websocket-key" not in fields:
        raise ValueError("no handshake")
    digest = hashlib.sha1(fields[b"sec-websocket-key"] + _MAGIC).digest()
    return (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: " + base64.b64encode(digest) + b"\r\n\r\n"
    )


def framed(payload: bytes, opcode: int = TEXT) -> bytes:
    """A frame of a server: final, without mask."""
    size = len(payload)
    if size < 126:
        length = bytes([size])
    elif size < 65536:
        length = bytes([126]) + size.to_bytes(2, "big")
    else:
        length = bytes([127]) + size.to_bytes(8, "big")
    return bytes([_FINAL | opcode]) + length + payload


class Frames:
    """Takes messages out of what a client sends; ValueError for what a client must not send.

    Unless it ``joins`` them, each frame is a message.
    """

    def __init__(self, *, joins: bool = True) -> None:
        self._data = b""
        self._joins = joins
        self._begun = 0
        self._parts = b""

    def feed(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """Opcode and payload of every message that is complete now."""
        self._data += data
        while (frame := self._take()) is not None:
            is_final, opcode, payload = frame
            if opcode >= CLOSE or not self._joins:
                yield opcode, payload
                continue
            self._begun, self._parts = opcode or self._begun, self._parts + payload
            if is_final:
                whole, self._parts = self._parts, b""
                yield self._begun, whole

    def _take(self) -> tuple[bool, int, bytes] | None:
        data = self._data
        if len(data) < 2:
            return None
        size, at = data[1] & 0x7F, 2
        if size >= 126:
            width = 2 if size == 126 else 8
            if len(data) < at + width:
                return None
            size, at = int.from_bytes(data[at : at + width], "big"), at + width
        if not data[1] & _MASKED or size > 65536:
            raise ValueError("no frame that a client of this suite sends")
        if len(data) < at + 4 + size:
            return None
        mask, payload = data[at : at + 4], data[at + 4 : at + 4 + size]
        self._data = data[at + 4 + size :]
        return bool(data[0] & _FINAL), data[0] & 0x0F, _unmasked(payload, mask)


def _unmasked(payload: bytes, mask: bytes) -> bytes:
    size = len(payload)
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")).to_bytes(size, "big")
