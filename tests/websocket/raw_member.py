"""A member of a board who speaks WebSocket by hand: it may not read, or send any frames."""

from __future__ import annotations

import base64
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager

from websocket.lone_server import BOARD

PATIENCE_S = 20
TEXT, CONTINUATION, CLOSE, PONG = 0x1, 0x0, 0x8, 0xA
JOIN = f'{{"type":"join","board":"{BOARD}","user":999}}'
HELLO = {
    "json": [JOIN],
    "signalr": [
        '{"protocol":"json","version":1}\x1e',
        f'{{"type":1,"invocationId":"0","target":"Join","arguments":[{JOIN}]}}\x1e',
    ],
}
"""First words of a member, by the protocol of the server."""


def frame(text: str, kind: int = TEXT, *, final: bool = True) -> bytes:
    """A masked frame, its mask zero."""
    size = len(text)
    head = bytes([kind | (0x80 if final else 0)])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 1 << 16:
        head += b"\xfe" + struct.pack(">H", size)
    else:
        head += b"\xff" + struct.pack(">Q", size)
    return head + bytes(4) + text.encode()


def heard(member: socket.socket) -> tuple[int, bytes]:
    """Kind and content of the next frame, which is whole."""
    first, second = _read(member, 2)
    size = second & 0x7F
    if size >= 126:
        size = int.from_bytes(_read(member, 2 if size == 126 else 8), "big")
    assert first & 0x80
    return first & 0x0F, _read(member, size)


def is_ended(member: socket.socket, within_s: float = 1) -> bool:
    """Whether the server ends the connection, after what was on its way."""
    member.settimeout(within_s)
    try:
        while member.recv(1 << 20):
            pass
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False
    return True


@contextmanager
def opened(endpoint: str, receive_buffer: int = 0) -> Iterator[socket.socket]:
    """The connection of a client who was let in and said nothing yet."""
    host, _, rest = endpoint.removeprefix("ws://").partition(":")
    port, _, path = rest.partition("/")
    with socket.socket() as member:
        if receive_buffer:
            member.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        member.settimeout(PATIENCE_S)
        member.connect((host, int(port)))
        key = base64.b64encode(bytes(16)).decode()
        lines = [
            f"GET /{path} HTTP/1.1",
            *("Host: board", "Upgrade: websocket", "Connection: Upgrade"),
            *("Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}", "", ""),
        ]
        member.sendall("\r\n".join(lines).encode())
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += _read(member, 1)
        assert answer.startswith(b"HTTP/1.1 101 ")
        yield member


@contextmanager
def joined(endpoint: str, protocol: str, receive_buffer: int = 0) -> Iterator[socket.socket]:
    """The connection of a member whose join was answered."""
    with opened(endpoint, receive_buffer) as member:
        for text in HELLO[protocol]:
            member.sendall(frame(text))
        while b'"joined"' not in heard(member)[1]:
            pass
        yield member


def _read(member: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        more = member.recv(size - len(found))
        assert more, "the connection ended"
        found += more
    return found
