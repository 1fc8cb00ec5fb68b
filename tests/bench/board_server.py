"""A server of boards that a test can make misbehave."""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any


def framed(text: bytes) -> bytes:
    length = bytes([len(text)]) if len(text) < 126 else b"\x7e" + struct.pack(">H", len(text))
    return b"\x81" + length + text


Deliver = Callable[[int, int, int, bytes], bytes | None]
"""Answer to user ``to`` for message ``seq`` of ``user``; None ends the connection."""


def soundly(_user: int, _to: int, _seq: int, text: bytes) -> bytes:
    return framed(text)


class Server:
    """Boards of two users, as the null server has them, with deliveries by ``deliver``."""

    def __init__(self, deliver: Deliver = soundly, answer: str = "101 Switching Protocols") -> None:
        self._deliver = deliver
        self._answer = answer
        self._clients: dict[int, tuple[asyncio.StreamWriter, asyncio.Lock]] = {}

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[str]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        yield f"ws://127.0.0.1:{port}/board"
        server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(f"HTTP/1.1 {self._answer}\r\n\r\n".encode())
            while True:
                await self._take(json.loads(await self._text(reader)), writer)
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            writer.close()

    async def _text(self, reader: asyncio.StreamReader) -> bytes:
        first, length = await reader.readexactly(2)
        assert first == 0x81
        assert length & 0x80, "clients mask"
        length &= 0x7F
        if length == 126:
            (length,) = struct.unpack(">H", await reader.readexactly(2))
        mask = await reader.readexactly(4)
        text = await reader.readexactly(length)
        return bytes(byte ^ mask[i % 4] for i, byte in enumerate(text))

    async def _take(self, said: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        user = said["user"]
        if said["type"] == "join":
            assert said["board"] == f"b{user // 2:04d}"
            self._clients[user] = (writer, asyncio.Lock())
            await self._put(user, framed(json.dumps({**said, "type": "joined"}).encode()))
            return
        text = json.dumps(said, separators=(",", ":")).encode()
        assert len(text) == 300
        for to in sorted({user, user ^ 1} & set(self._clients)):
            found = self._deliver(user, to, said["seq"], text)
            if found is None:
                self._clients.pop(to)[0].close()
            else:
                await self._put(to, found)

    async def _put(self, to: int, frame: bytes) -> None:
        """In two pieces, the first of which ends within the head of the frame."""
        writer, lock = self._clients[to]
        try:
            async with lock:
                for piece in (frame[:3], frame[3:]):
                    writer.write(piece)
                    await writer.drain()
                    await asyncio.sleep(0.001)
        except ConnectionError:
            self._clients.pop(to, None)
