"""A Redis of the user's own between the processes of a WebSocket server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import own_servers
import pytest

from e2e.conftest import MEASURED

pytestmark = [pytest.mark.e2e, pytest.mark.needs("cargo")]


def only(here: Path, pattern: str) -> dict[str, Any]:
    """The only file of a run."""
    (file,) = here.glob(f"results/*/{pattern}")
    loaded: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return loaded


def test_boards_are_shared_through_the_users_redis(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "wirelab", "run", "websocket", "--scenario", "ramp"]
    options = ["--profile", "check", "--seed", "1", "--contender", "fastapi-workers-redis"]
    with own_servers.redis_server() as address:
        ended = subprocess.run(
            [*command, *options, "--target", address],
            cwd=tmp_path,
            env={
                **os.environ,
                "WIRELAB_REDIS_PASSWORD": own_servers.PASSWORD,
                "COLUMNS": "1000",
            },
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    # A small machine may have no valid figure of it (3); it was measured all the same.
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    assert only(tmp_path, "result.json")["disclosure"]["own"]["targets"] == {"redis": address}
    trial = only(tmp_path, "trials/*/trial.json")
    assert trial["status"] == "ok", trial["detail"]
    counted = trial["roles"]["redis"]["counted"]
    assert counted["counter"] == "cmdstat_publish"
    assert counted["requests"] > 0
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    secret = own_servers.PASSWORD.encode()
    assert [path for path in files if secret in path.read_bytes()] == []
