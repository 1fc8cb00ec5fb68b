"""Targets of a push that behave in one way each."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Reply = Callable[[socket.socket, threading.Event], None]
"""Answers a request on a connection; the event says that the target is closing."""


class Recorder:
    """Texts that a target got."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.heads: list[str] = []
        self.bodies: list[bytes] = []
        self.changed = threading.Condition()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/api/v1/import/prometheus"

    def keep(self, head: str, body: bytes) -> None:
        with self.changed:
            self.heads.append(head)
            self.bodies.append(body)
            self.changed.notify_all()

    def await_requests(self, number: int) -> None:
        """Wait until so many requests have come, or fail."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.bodies) >= number, 30)


def say(*texts: bytes) -> Reply:
    """Answers the n-th connection with the n-th text, the last one from then on."""
    left = list(texts)

    def reply(connection: socket.socket, closing: threading.Event) -> None:
        connection.sendall(left.pop(0) if len(left) > 1 else left[0])

    return reply


def stall(connection: socket.socket, closing: threading.Event) -> None:
    """Takes the request and never answers."""
    closing.wait(60)


def drip(connection: socket.socket, closing: threading.Event) -> None:
    """Answers a byte at a time, without end."""
    connection.sendall(b"HTTP/1.1 204 No Content\r\nX-Endless: ")
    while not closing.wait(0.02):
        connection.sendall(b"x")


TAKEN = b"HTTP/1.1 204 No Content\r\n\r\n"


@contextmanager
def target(reply: Reply) -> Iterator[Recorder]:
    """A target on a port of its own."""
    closing = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.05)
        recorder = Recorder(listener.getsockname()[1])
        serving = threading.Thread(target=_serve, args=(listener, recorder, reply, closing))
        serving.start()
        try:
            yield recorder
        finally:
            closing.set()
            serving.join()


def _serve(
    listener: socket.socket, recorder: Recorder, reply: Reply, closing: threading.Event
) -> None:
    answering = []
    while not closing.is_set():
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            continue
        answer = threading.Thread(target=_answer, args=(connection, recorder, reply, closing))
        answer.start()
        answering.append(answer)
    for answer in answering:
        answer.join()


def _answer(
    connection: socket.socket, recorder: Recorder, reply: Reply, closing: threading.Event
) -> None:
    # A client that hangs up is the client's affair.
    with connection, contextlib.suppress(OSError):
        connection.settimeout(30)
        recorder.keep(*_request(connection))
        reply(connection, closing)


def _request(connection: socket.socket) -> tuple[str, bytes]:
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    fields = dict(line.split(": ", 1) for line in head.decode().splitlines()[1:])
    while len(body) < int(fields["Content-Length"]):
        body += connection.recv(65536)
    return head.decode(), body
