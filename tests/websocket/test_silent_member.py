"""A member who is gone without a word: found by pings alone, on the server in Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from websocket.lone_server import server_of, serving
from websocket.raw_member import is_ended, joined

pytestmark = [pytest.mark.e2e, pytest.mark.needs("cargo")]


@pytest.mark.parametrize("pings", [True, False])
def test_a_member_who_answers_no_ping(pings: bool, tmp_path: Path) -> None:
    tuning = {"ping_interval_ms": 100, "ping_timeout_ms": 100} if pings else {}
    with (
        serving(server_of("fastapi"), tmp_path / "server", **tuning) as (endpoint, facts),
        joined(endpoint, facts["protocol"]) as member,
    ):
        # Reading, it answers nothing: a connection that is as good as lost.
        assert is_ended(member, within_s=20 if pings else 1) is pings
