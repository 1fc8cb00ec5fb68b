"""A message that is longer than a bound: let in where the bound was raised, and nowhere else."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from websocket.lone_server import BOARD, server_of, serving
from websocket.raw_member import frame, joined

pytestmark = [pytest.mark.e2e, pytest.mark.needs("cargo")]

JAVA = pytest.mark.needs("javac")
CASES = [
    ("fastapi", 70_000, False),
    ("fastapi-max-size", 70_000, True),
    pytest.param("spring-websocket", 20_000, False, marks=JAVA),
    pytest.param("spring-websocket-max-size", 20_000, True, marks=JAVA),
]


def comes_back(member: socket.socket, size: int) -> bool:
    """Whether so many bytes come, in whatever frames, before the connection ends."""
    found = 0
    try:
        while found < size and (more := member.recv(1 << 16)):
            found += len(more)
    except ConnectionResetError:
        return False
    return found >= size


@pytest.mark.parametrize(("contender", "size", "is_let_in"), CASES)
def test_a_message_longer_than_the_smaller_bound(
    contender: str, size: int, is_let_in: bool, tmp_path: Path
) -> None:
    stroke = f'{{"type":"draw","board":"{BOARD}","user":999,"seq":0,"pad":"{"." * size}"}}'
    with (
        serving(server_of(contender), tmp_path / "server") as (endpoint, facts),
        joined(endpoint, facts["protocol"]) as member,
    ):
        member.sendall(frame(stroke))
        assert comes_back(member, size) is is_let_in
