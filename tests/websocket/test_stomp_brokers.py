"""Brokers behind Spring's relay, each alone: on the loopback, for one user whose password stays."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from e2e.building import build_program_behind_others
from sdk.scripted_worker import Worker, running
from tree import suites_of_the_tree
from wirelab.build import PartBuilds, service_part

ROOT = Path(__file__).parents[2]
STARTING_S = 120
"""RabbitMQ takes ten seconds on a quiet machine."""

pytestmark = [pytest.mark.e2e, pytest.mark.left_to_all]

BROKERS = [
    pytest.param("activemq", "ActiveMQ", marks=pytest.mark.needs("javac")),
    pytest.param("rabbitmq", "RabbitMQ", marks=pytest.mark.needs("rabbitmq-server")),
]


@contextmanager
def broker(name: str, folder: Path, listen: str = "127.0.0.1:0") -> Iterator[tuple[Worker, str]]:
    """A broker as its suite starts it, and where it says that it is."""
    build_program_behind_others("websocket", name)
    built = PartBuilds(ROOT).prepare(service_part(suites_of_the_tree().suite("websocket"), name))
    surroundings = [f"{key}={value}" for key, value in built.environment.items()]
    command = ["env", *surroundings, *built.command(name)]
    (folder / "scratch").mkdir(parents=True)
    about = {"suite": "websocket", "role": name, "seed": 7, "listen": listen, "parameters": {}}
    with running(command, folder, **about) as worker:
        ready = worker.until("ready")
        yield worker, ready["endpoint"]
        worker.say('{"command":"stop"}')
        assert worker.process.wait(STARTING_S) == 0, worker.stderr()


def answer(endpoint: str, password: str) -> tuple[str, str]:
    """The command and the server's name in the broker's answer to a login."""
    place = urlsplit(endpoint)
    with socket.create_connection((place.hostname, place.port), timeout=30) as client:
        login = f"login:{place.username}\npasscode:{password}"
        client.sendall(f"CONNECT\naccept-version:1.2\nhost:/\n{login}\n\n\0".encode())
        said = b""
        while b"\0" not in said and (more := client.recv(4096)):
            said += more
    text = said.decode()
    server = re.search(r"^server:(\w+)/", text, re.M)
    return text.lstrip("\n").partition("\n")[0], server[1] if server else ""


def listening(process: int) -> set[tuple[str, int]]:
    """Addresses at which a process and all that it has started take connections."""
    root = psutil.Process(process)
    return {
        (connection.laddr.ip.removeprefix("::ffff:"), connection.laddr.port)
        for one in (root, *root.children(recursive=True))
        for connection in one.net_connections("tcp")
        if connection.status == psutil.CONN_LISTEN
    }


@pytest.mark.parametrize(("name", "product"), BROKERS)
def test_a_broker_lets_one_user_in_and_is_on_the_loopback_alone(
    name: str, product: str, tmp_path: Path
) -> None:
    with broker(name, tmp_path / "first") as (worker, endpoint):
        place = urlsplit(endpoint)
        assert (place.scheme, place.username) == ("stomp", "wirelab")
        assert answer(endpoint, str(place.password)) == ("CONNECTED", product)
        # What ActiveMQ says of it may be cut off with the connection.
        for wrong in ("guessed", ""):
            assert answer(endpoint, wrong)[0] in {"ERROR", ""}, wrong
        found = listening(worker.process.pid)
        assert ("127.0.0.1", place.port) in found
        # Erlang's name service adds the loopback of IPv6.
        assert {host for host, _port in found} <= {"127.0.0.1", "::1"}
    with broker(name, tmp_path / "again", f"127.0.0.1:{place.port}") as (_worker, again):
        assert again == endpoint
