"""SignalR from the outside: its official client beside the engine, at the contender's server."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any, NamedTuple

import pytest

from sdk.scripted_worker import PATIENCE_S, running
from websocket.lone_server import (
    BOARD,
    ROOT,
    Server,
    counts,
    engine_command,
    load,
    server_of,
    serving,
)
from wirelab.build import Part, PartBuilds
from wirelab.model.builds import Build, RunCommand

SOURCE = Path(__file__).parent / "signalr_peer"
LIMIT = 32_768
AROUND = len('{"type":1,"target":"Draw","arguments":[]}\x1e')

pytestmark = [pytest.mark.e2e, pytest.mark.needs("dotnet", "npm", "cargo")]


@pytest.fixture(scope="module")
def server() -> Server:
    """The contender."""
    return server_of("signalr")


@pytest.fixture(scope="module")
def peer() -> list[str]:
    """The command of SignalR's own client."""
    part = Part(
        suite="websocket",
        name="signalr-peer",
        title="SignalR's own client",
        source=SOURCE,
        build=Build(kind="npm"),
        run=RunCommand(command=["{node}", "{build}/peer.js"]),
    )
    return PartBuilds(ROOT).prepare(part).command("")


@pytest.fixture(scope="module")
def engine() -> list[str]:
    """The command of the load generator."""
    return engine_command()


class Member:
    """SignalR's own client on a board."""

    def __init__(self, process: Popen[bytes]) -> None:
        self._process = process
        self.joined = self.hear()

    def hear(self) -> Any:
        """The next message."""
        assert self._process.stdout
        return json.loads(self._process.stdout.readline())

    def draw(self, drawing: dict[str, Any]) -> None:
        """Send a drawing."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps(drawing).encode() + b"\n")
        self._process.stdin.flush()


@contextmanager
def joined(
    peer: list[str], endpoint: str, user: int, negotiation: str = "skip"
) -> Iterator[Member]:
    """A member of a board; it has gone afterwards."""
    command = [*peer, endpoint, BOARD, str(user), negotiation]
    with Popen(command, stdin=PIPE, stdout=PIPE) as process:
        hung = threading.Timer(PATIENCE_S, process.kill)
        hung.start()
        try:
            yield Member(process)
        finally:
            hung.cancel()
            process.kill()


def drawing(user: int, seq: int, pad: str) -> dict[str, Any]:
    place = {"type": "draw", "board": BOARD, "user": user, "seq": seq}
    return {**place, "color": "#1e90ff", "width": 3, "points": [[412, 233], [0, -1]], "pad": pad}


def test_clients_of_its_own_draw_for_each_other(
    server: Server, peer: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where numbers have commas; the runtime has no data of countries, with ICU and without.
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    with serving(server, tmp_path / "server") as (endpoint, facts):
        assert facts["protocol"] == "signalr"
        with joined(peer, endpoint, 1) as one, joined(peer, endpoint, 2, "negotiate") as two:
            assert one.joined == {"type": "joined", "board": BOARD, "user": 1}
            drawn = drawing(1, 17, "칠판 <&>")
            one.draw(drawn)
            assert [one.hear(), two.hear()] == [drawn, drawn]


def test_a_client_of_its_own_sees_all_that_the_engine_draws(
    server: Server, peer: list[str], engine: list[str], tmp_path: Path
) -> None:
    with (
        serving(server, tmp_path / "server") as (endpoint, facts),
        joined(peer, endpoint, 900) as member,
    ):
        folder = tmp_path / "engine"
        with running(engine, folder, **load(folder, endpoint, facts)) as worker:
            worker.run()
        seen = [member.hear() for _ in range(4 * 50)]
    for user in range(4):
        assert [one["seq"] for one in seen if one["user"] == user] == list(range(50))
    assert {one["board"] for one in seen} == {BOARD}
    found = counts(worker)
    assert found["delivery.expected"] == found["delivery.received"] == 4 * 50 * 3
    assert found["delivery.wrong"] == found["delivery.duplicates"] == 0


def test_records_up_to_the_servers_limit_come_back(
    server: Server, peer: list[str], engine: list[str], tmp_path: Path
) -> None:
    with serving(server, tmp_path / "server") as (endpoint, facts):
        assert facts["receive_limit_bytes"] == LIMIT
        fits = {"parameters": {"board_size": 4, "message_bytes": LIMIT - AROUND}}
        folder = tmp_path / "engine"
        with running(engine, folder, **load(folder, endpoint, facts, **fits)) as worker:
            worker.run()
        assert counts(worker)["delivery.received"] == 4 * 50 * 3
        too_long = {"parameters": {"board_size": 4, "message_bytes": LIMIT - AROUND + 1}}
        folder = tmp_path / "refused"
        with running(engine, folder, **load(folder, endpoint, facts, **too_long)) as worker:
            assert worker.until("error")["class"] == "MessageTooLong"
        # The server means it: one byte more, and its own client is cut off.
        with joined(peer, endpoint, 1) as member:
            room = LIMIT - AROUND - len(json.dumps(drawing(1, 0, ""), separators=(",", ":")))
            member.draw(drawing(1, 0, "x" * room))
            assert len(member.hear()["pad"]) == room
            member.draw(drawing(1, 1, "x" * (room + 1)))
            assert "closed with an error" in member.hear()["closed"]


class Silence(NamedTuple):
    """The silence after which idle users ping, the server's patience, and what comes of it."""

    ping_after_ms: int
    patience_ms: int
    dropped: int


@pytest.mark.parametrize(
    "silence",
    [
        pytest.param(Silence(100, 4_000, 0), id="in time"),
        pytest.param(Silence(3_000, 1_000, 3), id="too late"),
    ],
)
def test_users_who_are_silent_stay_by_their_pings(
    server: Server, engine: list[str], tmp_path: Path, silence: Silence
) -> None:
    # One of four draws, for six seconds. The server's patience begins with a client's first ping.
    step = {"count": 600, "settle": 0, "lanes": 1}
    patience = {"client_timeout_ms": silence.patience_ms}
    with serving(server, tmp_path / "server", **patience) as (endpoint, facts):
        assert facts["timeout_ms"] == silence.patience_ms
        told = facts | {"keep_alive_ms": silence.ping_after_ms, "timeout_ms": 600_000}
        folder = tmp_path / "engine"
        with running(engine, folder, **load(folder, endpoint, told, step=step)) as worker:
            worker.run()
    assert counts(worker).get("connect.dropped", 0) == silence.dropped
