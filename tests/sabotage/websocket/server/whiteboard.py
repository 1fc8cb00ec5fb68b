"""The honest whiteboard: what the suite `websocket` asks of a server, in steps to be overridden."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Any

from wire import CLOSE, PING, PONG, TEXT, Frames, acceptance, framed

LARGEST_HEAD = 16 * 1024


class Member(asyncio.Protocol):
    """One connection: a handshake, then messages."""

    transport: asyncio.Transport

    def __init__(self, whiteboard: Whiteboard) -> None:
        self.board = ""
        self.user = -1
        self._whiteboard = whiteboard
        self._head: bytes | None = b""
        self._frames = whiteboard.frames()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._whiteboard.admit(self)

    def data_received(self, data: bytes) -> None:
        if self._head is not None:
            head, end, data = (self._head + data).partition(b"\r\n\r\n")
            self._head = head if not end else None
            if not end:
                if len(head) > LARGEST_HEAD:
                    self.transport.abort()
                return
            try:
                answer = acceptance(head)
            except ValueError:
                self.transport.abort()
                return
            self._whiteboard.upgrade(self, answer)
        try:
            for opcode, payload in self._frames.feed(data):
                self._hear(opcode, payload)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self.transport.abort()

    def _hear(self, opcode: int, payload: bytes) -> None:
        if opcode == TEXT:
            message = self._whiteboard.read(payload, self)
            if message["type"] == "join":
                self._whiteboard.join(self, message)
            elif message["type"] == "draw":
                self._whiteboard.draw(self, message, payload)
        elif opcode == PING:
            self._whiteboard.ping(self, payload)
        elif opcode == CLOSE:
            self.transport.write(framed(payload, CLOSE))
            self.transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        self._whiteboard.leave(self)

    def send(self, text: bytes) -> None:
        """One message."""
        self.transport.write(framed(text))

    def send_together(self, texts: list[bytes]) -> None:
        """Several messages, in one call."""
        self.transport.write(b"".join(map(framed, texts)))


class Whiteboard:
    """Boards and their members. ``done`` counts what a deviation has done, by what it is."""

    def __init__(self) -> None:
        self.done: Counter[str] = Counter()
        self.boards: dict[str, dict[Member, None]] = {}
        self.first_board = ""
        """The board of the preflight: nothing but its time tells it from others."""
        self.listener: asyncio.Server | None = None

    async def listen(self, listen: str) -> str:
        """Listen there; the address that was really got."""
        host, _, port = listen.rpartition(":")
        loop = asyncio.get_running_loop()
        self.listener = await loop.create_server(lambda: Member(self), host, int(port))
        host, port = self.listener.sockets[0].getsockname()
        return f"{host}:{port}"

    def close(self) -> None:
        """End every connection."""
        if self.listener is not None:
            self.listener.close()
        for members in self.boards.values():
            for member in list(members):
                member.transport.abort()

    # ------------------------------------------------------------------ what may go wrong

    def admit(self, member: Member) -> None:
        """A connection has been made."""

    def upgrade(self, member: Member, answer: bytes) -> None:
        """Its handshake is complete."""
        member.transport.write(answer)

    def frames(self) -> Frames:
        """Reader that takes messages out of a connection."""
        return Frames()

    def ping(self, member: Member, payload: bytes) -> None:
        """Asks whether anybody is there."""
        member.transport.write(framed(payload, PONG))

    def read(self, text: bytes, member: Member) -> dict[str, Any]:
        """The message in a text; what is none ends the connection."""
        del member
        message: dict[str, Any] = json.loads(text)
        return message

    def join(self, member: Member, message: dict[str, Any]) -> None:
        """It goes to a board, and is told so."""
        self.seat(member, message)
        self.confirm(member, message)

    def seat(self, member: Member, message: dict[str, Any]) -> None:
        """From now on it gets what is drawn on the board."""
        member.board, member.user = str(message["board"]), int(message["user"])
        self.first_board = self.first_board or member.board
        self.boards.setdefault(member.board, {})[member] = None

    def confirm(self, member: Member, message: dict[str, Any]) -> None:
        """Tell it that it is there."""
        member.send(json.dumps({**message, "type": "joined"}).encode())

    def draw(self, member: Member, message: dict[str, Any], text: bytes) -> None:
        """It draws: everybody on the board that the message names gets the text."""
        for receiver in self.boards.get(message["board"], ()):
            self.deliver(receiver, message, text)

    def deliver(self, receiver: Member, message: dict[str, Any], text: bytes) -> None:
        """One member gets it."""
        receiver.send(text)

    def leave(self, member: Member) -> None:
        """Its connection has ended."""
        self.boards.get(member.board, {}).pop(member, None)
