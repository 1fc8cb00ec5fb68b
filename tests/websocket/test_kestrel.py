"""ASP.NET Core's WebSockets by hand: messages in pieces, one that is too long, silence."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from websocket.lone_server import BOARD, Server, server_of, serving
from websocket.raw_member import CLOSE, CONTINUATION, PONG, TEXT, frame, heard, joined

DRAW = {"type": "draw", "board": BOARD, "user": 999, "seq": 0, "pad": "x" * 3_000}
TOO_BIG = 1009
"""The code of a close after a message that is too long."""

pytestmark = [pytest.mark.e2e, pytest.mark.needs("dotnet")]


@pytest.fixture(scope="module")
def server() -> Server:
    return server_of("aspnet")


@contextmanager
def on_a_board(server: Server, folder: Path, **tuning: int) -> Iterator[socket.socket]:
    """A member of a board of the server with this tuning."""
    with (
        serving(server, folder / "server", **tuning) as (endpoint, facts),
        joined(endpoint, facts["protocol"]) as member,
    ):
        yield member


def test_a_message_in_pieces_is_one_message(server: Server, tmp_path: Path) -> None:
    said = json.dumps(DRAW)
    with on_a_board(server, tmp_path) as member:
        # The second piece is longer than what the server reads at once.
        member.sendall(frame(said[:10], final=False))
        member.sendall(frame(said[10:2_500], CONTINUATION, final=False))
        member.sendall(frame(said[2_500:], CONTINUATION))
        assert heard(member) == (TEXT, said.encode())


def test_a_message_above_the_limit_ends_the_connection(server: Server, tmp_path: Path) -> None:
    with on_a_board(server, tmp_path, max_message_bytes=len(json.dumps(DRAW))) as member:
        member.sendall(frame(json.dumps(DRAW)))
        assert heard(member)[0] == TEXT
        member.sendall(frame(json.dumps({**DRAW, "seq": 10})))
        kind, why = heard(member)
    assert (kind, int.from_bytes(why[:2], "big")) == (CLOSE, TOO_BIG)


def test_the_server_keeps_silent_connections_alive(server: Server, tmp_path: Path) -> None:
    with on_a_board(server, tmp_path, keep_alive_ms=50) as member:
        assert [heard(member)[0] for _ in range(3)] == [PONG] * 3
