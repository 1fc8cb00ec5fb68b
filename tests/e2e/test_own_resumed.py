"""A run against a server of the user's own that was interrupted, and goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import own_servers
import pytest

from e2e.conftest import MEASURED
from reports_of_runs import with_reports

pytestmark = [pytest.mark.e2e, pytest.mark.needs("redis-server")]

SECRETS = {"WIRELAB_REDIS_PASSWORD": own_servers.PASSWORD}
PATIENCE_S = 300.0


def interrupted(here: Path, address: str) -> Path:
    """The folder of a run that Ctrl-C has ended after its first trial."""
    words = ["run", "kv", "--scenario", "client", "--profile", "check", "--trials", "3"]
    words += ["--seed", "1", "--contender", "redis-py", "--target", address, "--fill"]
    command = [sys.executable, "-m", "wirelab", *with_reports(words)]
    process = subprocess.Popen(
        ["env", "--default-signal=INT", *command],
        cwd=here,
        env={**os.environ, **SECRETS, "COLUMNS": "1000"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + PATIENCE_S
    while not list(here.glob("results/*/trials/*/trial.json")) and process.poll() is None:
        assert time.monotonic() < deadline, "no trial has ended"
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 130, output
    (folder,) = (here / "results").iterdir()
    return folder


def measured(folder: Path) -> dict[Path, bytes]:
    """The records of the trials that were measured; the one that Ctrl-C met is run again."""
    records = {path: path.read_bytes() for path in folder.glob("trials/*/trial.json")}
    return {
        path: record for path, record in records.items() if json.loads(record)["status"] == "ok"
    }


def resumed(folder: Path, secrets: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """``wl run --resume`` of a run, which is given nothing but what the environment has."""
    return subprocess.run(
        [sys.executable, "-m", "wirelab", *with_reports(["run", "--resume", str(folder)])],
        env={**os.environ, **secrets, "COLUMNS": "1000"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def redis_cli(address: str, command: str) -> str:
    words = ["redis-cli", "-p", address.rpartition(":")[2], "--no-auth-warning"]
    ended = subprocess.run(
        [*words, "-a", own_servers.PASSWORD, *command.split()],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return ended.stdout.strip()


def test_resume_goes_back_to_the_same_server_and_leaves_it_as_it_was(tmp_path: Path) -> None:
    with own_servers.redis_server() as address:
        redis_cli(address, "SET theirs 1")
        folder = interrupted(tmp_path, address)
        assert redis_cli(address, "KEYS *") == "theirs"
        finished = measured(folder)
        refused = resumed(folder, {})
        ended = resumed(folder, SECRETS)
        assert redis_cli(address, "KEYS *") == "theirs"
    assert finished
    assert refused.returncode == 2, refused.stdout + refused.stderr
    assert "WIRELAB_REDIS_PASSWORD" in refused.stderr
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    assert {path: path.read_bytes() for path in finished} == finished
    result = json.loads((folder / "result.json").read_text("utf-8"))
    assert result["complete"] is True
    own = result["disclosure"]["own"]
    assert own["targets"] == {"redis": address}
    assert own["found"]["redis"]["written"] == own["found"]["redis"]["removed"] > 0
    records = [json.loads(path.read_text("utf-8")) for path in folder.glob("trials/*/trial.json")]
    assert len(records) == 3
    assert all(record["roles"]["server"]["counted"]["requests"] > 0 for record in records)
    files = [path for path in folder.rglob("*") if path.is_file()]
    secret = own_servers.PASSWORD.encode()
    assert [path for path in files if secret in path.read_bytes()] == []


def test_resume_says_that_the_server_is_gone_and_keeps_what_was_measured(tmp_path: Path) -> None:
    with own_servers.redis_server() as address:
        folder = interrupted(tmp_path, address)
    before = measured(folder)
    ended = resumed(folder, SECRETS)
    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert f"no Redis answers at {address}" in ended.stderr
    assert before
    assert measured(folder) == before
