"""A member who stopped reading, on servers in C#: who else has to wait for it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from sdk.scripted_worker import running
from websocket.lone_server import RTT, engine_command, load, server_of, serving
from websocket.raw_member import is_ended, joined

OK, TIMEOUT = 0, 2

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


@pytest.mark.parametrize("case", CASES, ids=[case.contender for case in CASES])
def test_a_member_who_stopped_reading(case: Case, tmp_path: Path) -> None:
    engine, folder = engine_command(), tmp_path / "engine"
    with (
        serving(server_of(case.contender), tmp_path / "server", **case.tuning) as (endpoint, facts),
        joined(endpoint, facts["protocol"], receive_buffer=4096) as member,
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
        assert is_ended(member) is not case.stays
