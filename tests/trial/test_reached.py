"""Nothing is taken for a measurement of the user's server that did not go there."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator

import pytest

from wirelab.model.own import RequestCount
from wirelab.model.trial import RoleRecord
from wirelab.trial.failure import TrialError
from wirelab.trial.reached import Connections
from wirelab.trial.sockets import waiting_at
from wirelab.trial.spec import OwnTarget

SILENT = {"server": RoleRecord(role="server", command=["stand-in"], cpus=[])}
COUNTS = {
    "server": SILENT["server"].model_copy(
        update={"counted": RequestCount(requests=3, counter="requests")}
    )
}
PATIENCE_S = 10.0


@pytest.fixture(name="server")
def _server() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def looking_out(server: socket.socket) -> Connections:
    host, port = server.getsockname()[:2]
    targets = {"server": OwnTarget("nats", f"{host}:{port}")}
    # The stand-in's own connections are no client's.
    return Connections(targets, lambda: {"server": 1, "client": os.getpid()})


def seen(connections: Connections) -> bool:
    try:
        connections.check(SILENT)
    except TrialError:
        return False
    return True


def test_a_server_that_nobody_was_connected_to_was_not_measured(server: socket.socket) -> None:
    connections = looking_out(server)
    connections.start()
    connections.stop()
    with pytest.raises(TrialError, match="not-reached: nobody was connected"):
        connections.check(SILENT)


def test_a_counter_tells_more_than_a_connection(server: socket.socket) -> None:
    connections = looking_out(server)
    connections.check(COUNTS)
    assert not seen(connections)


def test_a_client_that_is_connected_is_seen(server: socket.socket) -> None:
    connections = looking_out(server)
    connections.start()
    with socket.create_connection(server.getsockname()):
        deadline = time.monotonic() + PATIENCE_S
        while not seen(connections) and time.monotonic() < deadline:
            time.sleep(0.01)
    connections.stop()
    connections.check(SILENT)
    assert seen(connections)


def test_a_client_that_came_and_went_between_two_looks_is_seen(server: socket.socket) -> None:
    with socket.create_connection(server.getsockname()) as earlier:
        closed_by_client(server, earlier)
    connections = looking_out(server)
    connections.start()
    connections.stop()
    connections.look_back()
    assert not seen(connections)
    with socket.create_connection(server.getsockname()) as client:
        closed_by_client(server, client)
    connections.look_back()
    assert seen(connections)


def closed_by_client(server: socket.socket, client: socket.socket) -> None:
    """Close both ends, the client's first: its kernel remembers it for a minute."""
    accepted, _ = server.accept()
    client.shutdown(socket.SHUT_WR)
    assert accepted.recv(1) == b""
    accepted.close()
    client.close()


def test_who_waits_at_an_address_is_found_on_this_machine_alone(server: socket.socket) -> None:
    port = server.getsockname()[1]
    assert waiting_at(f"127.0.0.1:{port}") == {os.getpid()}
    assert waiting_at(f"192.0.2.1:{port}") == set()  # of no machine, but for documents
    server.close()
    assert waiting_at(f"127.0.0.1:{port}") == set()
