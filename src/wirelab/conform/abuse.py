"""Abuse that a server's clients may do to it: noise, half requests, broken frames, resets.

A server is asked over TCP, or by datagrams where its kernel says that it takes those.
"""

from __future__ import annotations

import base64
import contextlib
import os
import random
import socket
import struct
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

from .sockets import CONNECT_S, Address, address_of, connected, sender, takes_datagrams, waits

_HALF_A_REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: webso"
_LONGEST_HEAD = 64 * 1024
_READING_S = 0.05
_POLL_S = 0.001
_TEXT, _BINARY, _CLOSE = 0x81, 0x82, 0x88

_LONGEST_DATAGRAM = 65_507
_SHORT = b"1234567"

MEANINGLESS = (b"", b"null", b"[]", b"{}", b'"draw"', b"}{", b"\xc3\x28", b"[" * 20_000)
"""Texts that no protocol takes for a message: no JSON, no object, no UTF-8, nested without end."""


@dataclass(frozen=True)
class AbusiveClient:
    """Somebody who connects to ``endpoint``, or sends there; OSError where that fails."""

    endpoint: str

    @property
    def address(self) -> Address:
        """Host and port."""
        address = address_of(self.endpoint)
        if address is None:
            raise OSError(f"{self.endpoint} has no port: HOST:PORT, or ws://HOST:PORT/PATH, is due")
        return address

    @property
    def speaks_websocket(self) -> bool:
        """Whether the endpoint promises more than TCP."""
        return self.endpoint.startswith("ws://")

    @property
    def sends_datagrams(self) -> bool:
        """Whether the server takes those, and no connection."""
        return takes_datagrams(self.address)

    def greet(self) -> socket.socket:
        """A connection in the state in which a server begins to serve it; without connections,
        the sender of a datagram that the server has read.
        """
        connection = self._opened()
        try:
            if connection.type == socket.SOCK_DGRAM:
                _send_until_read(connection, _SHORT)
            elif self.speaks_websocket:
                self._upgrade(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _opened(self) -> socket.socket:
        """A connection or a sender that has said nothing yet."""
        return sender(self.address) if self.sends_datagrams else connected(self.address)

    def _upgrade(self, connection: socket.socket) -> None:
        url = urlsplit(self.endpoint)
        path = (url.path or "/") + (f"?{url.query}" if url.query else "")
        key = base64.b64encode(os.urandom(16)).decode()
        connection.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {url.netloc}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        head = b""
        while b"\r\n\r\n" not in head and len(head) < _LONGEST_HEAD:
            data = connection.recv(4096)
            if not data:
                raise OSError("it closed the connection before it had answered the handshake")
            head += data
        status = head.split(b"\r\n", 1)[0].decode(errors="replace")
        if " 101" not in status:
            raise OSError(f"the handshake was answered with {status!r}, not with 101")

    def half_a_request(self) -> socket.socket:
        """A connection whose request never ends."""
        connection = self._opened()
        connection.sendall(_HALF_A_REQUEST)
        return connection

    def abuses(self) -> Iterator[tuple[str, Callable[[], None]]]:
        """Each abuse with what it is called in a finding."""
        if self.sends_datagrams:
            yield from self._abuses_by_datagram()
            return
        yield "random bytes", partial(self._say, connected, _noise())
        yield "half a request and a reset", lambda: _reset(self.half_a_request())
        if not self.speaks_websocket:
            return
        yield "a reset after the handshake", lambda: _reset(self.greet())
        frames = {
            "random bytes for frames": _noise(),
            "a frame of 2^63 bytes": _endless_frame(),
            "half a frame": _frame(_TEXT, b"x" * 100)[:50],
            "a frame without mask": b"\x81\x02{}",
            "a close with half a code": _frame(_CLOSE, b"\x03"),
            "a binary message": _frame(_BINARY, _noise()),
            **{f"the text {text[:12]!r}": _frame(_TEXT, text) for text in MEANINGLESS},
        }
        for what, data in frames.items():
            yield what, partial(self._say, self._greet, data)

    def _abuses_by_datagram(self) -> Iterator[tuple[str, Callable[[], None]]]:
        kinds = [bytes([first]) for first in range(256)]
        datagrams = {
            "a datagram of random bytes": [_noise()],
            "an empty datagram": [b""],
            "the longest datagram": [_noise().ljust(_LONGEST_DATAGRAM, b"x")],
            "a datagram of zeros": [bytes(len(_noise()))],
            "datagrams of a byte, each of its values": kinds,
            "short datagrams of each first byte": [kind + _SHORT for kind in kinds],
        }
        for what, sent in datagrams.items():
            yield what, partial(self._send_all, sent)

    def _send_all(self, datagrams: Iterable[bytes]) -> None:
        with sender(self.address) as connection:
            for datagram in datagrams:
                _send_until_read(connection, datagram)

    def _greet(self, _: Address) -> socket.socket:
        return self.greet()

    def _say(self, connect: Callable[[Address], socket.socket], data: bytes) -> None:
        """Send ``data`` and go away without a goodbye once the server has had time to read it."""
        connection = connect(self.address)
        # A server may close such a connection at any time.
        with contextlib.suppress(OSError):
            connection.sendall(data)
            connection.settimeout(_READING_S)
            connection.recv(4096)
        _reset(connection)


def _send_until_read(connection: socket.socket, datagram: bytes) -> None:
    """Send a datagram. Whether a server reads is all that UDP says of it."""
    connection.send(datagram)
    deadline = time.monotonic() + CONNECT_S
    while waits(connection):
        if time.monotonic() > deadline:
            raise OSError("it does not read the datagrams that it is sent")
        time.sleep(_POLL_S)


def _noise() -> bytes:
    return random.Random("noise").randbytes(4096)


def _reset(connection: socket.socket) -> None:
    """End a connection without the goodbye of TCP."""
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def _endless_frame() -> bytes:
    return bytes([_TEXT, 0xFF]) + (2**63 - 1).to_bytes(8, "big") + b"mask" + b"x" * 100


def _frame(first: int, payload: bytes) -> bytes:
    """A masked frame; the mask of zeros leaves the payload as it is."""
    size = len(payload)
    if size < 126:
        length = bytes([0x80 | size])
    elif size < 65536:
        length = bytes([0x80 | 126]) + size.to_bytes(2, "big")
    else:
        length = bytes([0x80 | 127]) + size.to_bytes(8, "big")
    return bytes([first]) + length + bytes(4) + payload
