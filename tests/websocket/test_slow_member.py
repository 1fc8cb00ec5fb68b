"""A member who stopped reading, on servers in C#: who else has to wait for it."""

from __future__ import annotations

import base64
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from sdk.scripted_worker import running
from websocket.lone_server import BOARD, RTT, engine_command, load, server_of, serving

OK, TIMEOUT = 0, 2
JOIN = f'{{"type":"join","board":"{BOARD}","user":999}}'
HELLO = {
    "json": [JOIN],
    "signalr": [
        '{"protocol":"json","version":1}\x1e',
        f'{{"type":1,"invocationId":"0","target":"Join","arguments":[{JOIN}]}}\x1e',
    ],
}
PATIENCE_S = 20

pytestmark = [pytest.mark.e2e, pytest.mark.needs("dotnet", "cargo")]


class Case(NamedTuple):
    """A contender with its tuning, whether others wait, and whether the member stays."""

    contender: str
    tuning: dict[str, int]
    holds_up: bool
    stays: bool


CASES = [
    Case("aspnet", {"member_backlog": 64}, holds_up=False, stays=False),
    Case("aspnet-lock", {}, holds_up=True, stays=True),
    Case("signalr", {"send_time_limit_ms": 1_500}, holds_up=True, stays=False),
]


def frame(text: str) -> bytes:
    """A masked text frame, its mask zero."""
    size = len(text)
    head = (
        struct.pack(">BB", 0x81, 0x80 | size)
        if size < 126
        else b"\x81\xfe" + struct.pack(">H", size)
    )
    return head + bytes(4) + text.encode()


@contextmanager
def stopped_reading(endpoint: str, protocol: str) -> Iterator[socket.socket]:
    """A member of the board who reads nothing after its join was answered."""
    host, _, rest = endpoint.removeprefix("ws://").partition(":")
    port, _, path = rest.partition("/")
    with socket.socket() as member:
        member.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        member.settimeout(PATIENCE_S)
        member.connect((host, int(port)))
        key = base64.b64encode(bytes(16)).decode()
        lines = [
            f"GET /{path} HTTP/1.1",
            *("Host: board", "Upgrade: websocket", "Connection: Upgrade"),
            *("Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}", "", ""),
        ]
        member.sendall("\r\n".join(lines).encode())
        for text in HELLO[protocol]:
            member.sendall(frame(text))
        heard = b""
        while b'"joined"' not in heard:
            heard += member.recv(4096)
        yield member


def ends(member: socket.socket) -> bool:
    """Whether the server has ended the connection, after what was on its way."""
    member.settimeout(1)
    try:
        while member.recv(1 << 20):
            pass
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False
    return True


@pytest.mark.parametrize("case", CASES, ids=[case.contender for case in CASES])
def test_a_member_who_stopped_reading(case: Case, tmp_path: Path) -> None:
    engine, folder = engine_command(), tmp_path / "engine"
    with (
        serving(server_of(case.contender), tmp_path / "server", **case.tuning) as (endpoint, facts),
        stopped_reading(endpoint, facts["protocol"]) as member,
    ):
        # 29 MB for each member: more than sockets and queues hold.
        asked = load(folder, endpoint, facts, step={"count": 550})
        asked["parameters"]["message_bytes"] = 16_000
        # Whoever does not have to wait is not to be called late on a busy machine.
        asked["limits"]["operation_ns"] = (1 if case.holds_up else 5) * 1_000_000_000
        with running(engine, folder, **asked) as worker:
            records = worker.run()
        statuses = {status for *_, operation, status, _ in records if operation == RTT}
        assert (TIMEOUT in statuses) is case.holds_up, statuses
        assert OK in statuses
        assert ends(member) is not case.stays
