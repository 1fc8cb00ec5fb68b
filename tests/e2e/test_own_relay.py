"""A Redis of the user's own between the processes of a WebSocket server."""

from __future__ import annotations

from pathlib import Path

import own_servers
import pytest

from e2e.conftest import MEASURED

pytestmark = [pytest.mark.e2e, pytest.mark.needs("cargo", "redis-server")]


def test_boards_are_shared_through_the_users_redis(tmp_path: Path) -> None:
    secret = {"WIRELAB_REDIS_PASSWORD": own_servers.PASSWORD}
    chosen = ("websocket", "ramp", "fastapi-workers-redis")
    with own_servers.redis_server() as address:
        ended = own_servers.measured(tmp_path, *chosen, secret, "--target", address)
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    assert own_servers.only(tmp_path, "result.json")["disclosure"]["own"]["targets"] == {
        "redis": address
    }
    trial = own_servers.only(tmp_path, "trials/*/trial.json")
    assert trial["status"] == "ok", trial["detail"]
    counted = trial["roles"]["redis"]["counted"]
    assert counted["counter"] == "cmdstat_publish"
    assert counted["requests"] > 0
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    secret = own_servers.PASSWORD.encode()
    assert [path for path in files if secret in path.read_bytes()] == []
