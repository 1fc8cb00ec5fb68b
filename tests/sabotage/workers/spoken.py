"""Workers that speak HTTP/1.1 and WebSocket by hand: a server, a client, and clients that cheat.

Requests and messages have every form that counts where others look: bodies of a known length and
in chunks, several in a segment, in pieces, masked, with fields in another order.
"""

from __future__ import annotations

import base64
import hashlib
import json
import socket
import sys
import threading
import time
from typing import IO, Any

from frames import frame, in_pieces, message
from reference import Connection, Reference, Server, read_spec

_MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_KEY = base64.b64encode(bytes(range(16))).decode()
_PAD = "." * 300
_SWITCH = (
    "GET /board HTTP/1.1\r\nHost: loopback\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    f"Sec-WebSocket-Key: {_KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Spoken(Reference):
    """Both ends. The client asks, and takes the answer, between the stamps of its record."""

    @property
    def operation(self) -> str:
        """The only one of a scenario."""
        (name,) = self.spec["operations"]
        return str(name)

    # ---------------------------------------------------------------------- the client
    def measure(self) -> None:
        """Connect, then follow the schedule."""
        host, _, port = self.spec["endpoints"]["server"].partition("://")[2].partition(":")
        self.connection = socket.create_connection((host, int(port)))
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = self.connection.makefile("rb")
        if self.operation == "message":
            self.connection.sendall(_SWITCH.encode())
            _head(self.stream)
        self.say_ready()
        command = self.command(None)
        if command is None or command["command"] != "start":
            return
        for tick, intended_ns in self.ticks(command["monotonic_ns"]):
            self.turn(tick, intended_ns)

    def turn(self, tick: int, intended_ns: int) -> None:
        """One record, and what it tells of."""
        start_ns = time.monotonic_ns()
        self.perform_one(tick)
        code = self.spec["operations"][self.operation]["code"]
        self.record(intended_ns, start_ns, time.monotonic_ns(), code)

    def perform_one(self, tick: int) -> None:
        """Ask, and take the answer."""
        self.ask_one(tick)
        self.take_one()

    def ask_one(self, tick: int) -> None:
        """A request in one of its forms."""
        asked = _said(tick) if self.operation == "message" else _requested(tick)
        self.connection.sendall(asked)

    def take_one(self) -> None:
        """Up to the end of an answer."""
        if self.operation == "message":
            message(self.stream)
        else:
            _body(self.stream, _head(self.stream))

    # ---------------------------------------------------------------------- the server
    def serve(self) -> None:
        """Answer until told to stop."""
        host, _, port = self.spec["listen"].partition(":")
        scheme = "ws" if self.operation == "message" else "http"
        with Server((host, int(port)), Answering) as server:
            server.worker = self
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.say_ready(endpoint=f"{scheme}://{host}:{server.server_address[1]}")
            while (command := self.command(None)) is None or command["command"] != "stop":
                pass


class Answering(Connection):
    """One client's requests, or its messages."""

    def handle(self) -> None:
        """Answer until the client leaves."""
        for number in range(1_000_000):
            head = _head(self.rfile)
            if not head:
                return
            if "sec-websocket-key" in head:
                self._echo(head["sec-websocket-key"])
                return
            said = json.dumps({"target": head[""], "body": len(_body(self.rfile, head))}).encode()
            self.wfile.write(_answer(said + _PAD.encode(), in_chunks=number % 2 == 1))

    def _echo(self, key: str) -> None:
        accepted = base64.b64encode(hashlib.sha1((key + _MAGIC).encode()).digest()).decode()
        self.wfile.write(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Accept: {accepted}\r\n\r\n".encode()
        )
        number = 0
        while (text := message(self.rfile)) is not None:
            said = json.loads(text)
            if "which" not in said:
                continue
            written = json.dumps(dict(reversed(said.items()))).encode()
            made = in_pieces if number % 2 else frame
            self.wfile.write(made(written, masked=False))
            number += 1


def _requested(tick: int) -> bytes:
    head = f"POST /rows?number={tick} HTTP/1.1\r\nHost: loopback\r\n"
    if tick % 3 == 0:
        return f"{head.replace('POST', 'GET')}\r\n".encode()
    if tick % 3 == 1:
        return f"{head}Content-Length: {len(_PAD)}\r\n\r\n{_PAD}".encode()
    return f"{head}Transfer-Encoding: chunked\r\n\r\n{len(_PAD):x}\r\n{_PAD}\r\n0\r\n\r\n".encode()


def _answer(body: bytes, *, in_chunks: bool) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    if in_chunks:
        return head + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    return head + b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def _said(tick: int) -> bytes:
    """A message, whole or in pieces, behind one that is none of those that are looked for."""
    text = json.dumps({"kind": "draw", "who": 7, "which": tick, "pad": _PAD}).encode()
    made = in_pieces if tick % 2 else frame
    return frame(b'{"kind":"here","who":7}', masked=True) + made(text, masked=True)


def _head(stream: IO[bytes]) -> dict[str, str]:
    """Fields of a head, and its first line below no name; empty at the end."""
    first = stream.readline().decode().strip()
    found = {"": first} if first else {}
    while line := stream.readline().decode().strip():
        name, _, value = line.partition(":")
        found[name.lower()] = value.strip()
    return found


def _body(stream: IO[bytes], head: dict[str, str]) -> bytes:
    if "transfer-encoding" not in head:
        return stream.read(int(head.get("content-length", 0)))
    body = b""
    while size := int(stream.readline(), 16):
        body += stream.read(size)
        stream.readline()
    stream.readline()
    return body


class NeverAsks(Spoken):
    """Asks every fourth time, and says the rest from memory."""

    def perform_one(self, tick: int) -> None:
        if tick % 4 == 0:
            super().perform_one(tick)


class AsksAhead(Spoken):
    """Has the answer of a tick on its way before the tick begins."""

    asked = False

    def perform_one(self, tick: int) -> None:
        if not self.asked:
            self.ask_one(tick)
        self.take_one()
        self.asked = True

    def turn(self, tick: int, intended_ns: int) -> None:
        super().turn(tick, intended_ns)
        self.ask_one(tick + 1)


class DoesNotWait(Spoken):
    """Takes the answer when the record has been written."""

    def perform_one(self, tick: int) -> None:
        self.ask_one(tick)

    def turn(self, tick: int, intended_ns: int) -> None:
        super().turn(tick, intended_ns)
        self.take_one()


WAYS: dict[str, type[Spoken]] = {
    "asks": Spoken,
    "never-asks": NeverAsks,
    "asks-ahead": AsksAhead,
    "does-not-wait": DoesNotWait,
}


def main(way: str) -> None:
    """Play a role in one of the ways."""
    spec: dict[str, Any] = read_spec()
    WAYS[way](spec).run()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "asks")
