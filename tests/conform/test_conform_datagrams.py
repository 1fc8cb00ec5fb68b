"""A server of UDP: asked by datagrams where a server of TCP is asked by connections."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from conform_servers import failures, line_server, lived, served

from wirelab.conform import CheckedWorker, sockets

SERVER = """
def receive(receiver):
    while True:
        data = receiver.recv(65536)
        {then}

def serve(self):
    host, _, port = self.spec["listen"].partition(":")
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.bind((host, int(port)))
    threading.Thread(target=receive, args=[receiver], daemon=True).start()
    self.say_ready(endpoint=f"udp://{{host}}:{{receiver.getsockname()[1]}}")
    while (command := self.command(None)) is None or command["command"] != "stop":
        pass
Reference.serve = serve
"""


def datagram_server(tmp_path: Path, then: str = "pass") -> CheckedWorker:
    """An honest server that reads datagrams, or does something after each."""
    return line_server(tmp_path, change=SERVER.format(then=then))


@pytest.fixture
def bound() -> Iterator[socket.socket]:
    """A socket of this process at a port of its own."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        yield receiver


def test_the_honest_server_passes(tmp_path: Path) -> None:
    found = served(datagram_server(tmp_path))
    assert failures(found) == {}
    assert found["abuse"].detail == "serves after 6 abuses"
    asked = {"ready", "beside", "killed", "restart", "stop while serving"}
    assert {name: found[name].outcome for name in asked} == dict.fromkeys(asked, "pass")


SUFFERING = {
    "ends": ("len(data) or os._exit(3)", "after an empty datagram: exit 3"),
    "reads no more": (
        "if len(data) > 4096: return",
        "after the longest datagram: no further client is served: it does not read the datagrams",
    ),
    "closes its socket": (
        "if len(data) == 1: receiver.close()",
        "each of its values: no further client is served: [Errno 111] Connection refused",
    ),
}


@pytest.mark.parametrize("what", SUFFERING)
def test_a_server_that_suffers_from_its_clients_is_caught(tmp_path: Path, what: str) -> None:
    then, words = SUFFERING[what]
    assert words in failures(served(datagram_server(tmp_path, then)))["abuse"]


def test_the_socket_must_be_the_worker_s(tmp_path: Path, bound: socket.socket) -> None:
    endpoint = f"udp://127.0.0.1:{bound.getsockname()[1]}"
    body = f"super().say_ready(**{{**fields, 'endpoint': {endpoint!r}}})"
    found = failures(lived(line_server(tmp_path, "say_ready(self, **fields)", body)))
    assert "a process that is not the worker's" in found["ready"]


def test_a_datagram_waits_until_the_server_reads_it(bound: socket.socket) -> None:
    address = bound.getsockname()
    assert sockets.takes_datagrams(address)
    with sockets.sender(address) as client:
        assert not sockets.waits(client)
        for _ in range(2):
            client.send(b"")
            assert sockets.waits(client)
            bound.recv(1)
            assert not sockets.waits(client)


def test_who_listens_for_connections_takes_no_datagrams(bound: socket.socket) -> None:
    with socket.create_server(bound.getsockname()) as listener:
        assert not sockets.takes_datagrams(listener.getsockname())
    assert sockets.takes_datagrams(bound.getsockname())
