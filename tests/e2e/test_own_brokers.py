"""Brokers of the user's own: measured under names of ours, and shown to be what was measured."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import own_servers
import pytest
from own_servers import measured, only

from e2e.conftest import MEASURED

pytestmark = pytest.mark.e2e

USER = "me"


@contextmanager
def nats_server() -> Iterator[str]:
    """A NATS server with a user."""
    port = own_servers.free_port()
    login = ["--user", USER, "--pass", own_servers.PASSWORD]
    words = ["nats-server", "-a", own_servers.HOST, "-p", str(port), *login]
    with own_servers.running(words, port) as address:
        yield address


@contextmanager
def mosquitto() -> Iterator[str]:
    """A mosquitto that lets everybody in from this machine."""
    port = own_servers.free_port()
    with own_servers.running(["mosquitto", "-p", str(port)], port) as address:
        yield address


BROKERS: dict[str, tuple[str, Callable[[], AbstractContextManager[str]], dict[str, str]]] = {
    "redis": (
        "python-redis-pubsub",
        own_servers.redis_server,
        {"WIRELAB_REDIS_PASSWORD": own_servers.PASSWORD},
    ),
    "nats": (
        "python-nats",
        nats_server,
        {"WIRELAB_NATS_USER": USER, "WIRELAB_NATS_PASSWORD": own_servers.PASSWORD},
    ),
    "mosquitto": ("python-mqtt", mosquitto, {}),
}


def run_messaging(here: Path, program: str, *more: str) -> subprocess.CompletedProcess[str]:
    """The smallest run of a broker's client in Python, results below ``here``."""
    contender, _, environment = BROKERS[program]
    return measured(here, "messaging", "transfer", contender, environment, *more)


def with_its_server(program: str) -> Any:
    """A broker as a parameter of a test that starts it."""
    started = {"redis": "redis-server", "nats": "nats-server", "mosquitto": "mosquitto"}
    return pytest.param(program, marks=pytest.mark.needs(started[program]))


@pytest.mark.parametrize("program", [with_its_server(one) for one in BROKERS])
def test_a_broker_of_the_users_own_is_measured(tmp_path: Path, program: str) -> None:
    with BROKERS[program][1]() as address:
        ended = run_messaging(tmp_path, program, "--target", address)
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    own = only(tmp_path, "result.json")["disclosure"]["own"]
    assert own["targets"] == {program: address}
    assert own["found"][program]["written"] == 0
    trial = only(tmp_path, "trials/*/trial.json")
    assert trial["status"] == "ok", trial["detail"]
    assert trial["roles"]["server"]["ready"]["endpoint"].endswith(address)
    if program == "redis":
        assert trial["roles"]["server"]["counted"]["counter"] == "cmdstat_publish"
        assert trial["roles"]["server"]["counted"]["requests"] >= 20
        shown = "its own counter (`cmdstat_publish`)"
    else:
        shown = "its clients were seen connected to it"
    (report,) = tmp_path.glob("results/*/report-en.md")
    assert shown in report.read_text("utf-8")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    secret = own_servers.PASSWORD.encode()
    assert [path for path in files if secret in path.read_bytes()] == []


@pytest.mark.needs("memcached")
@pytest.mark.parametrize("program", ["nats", "mosquitto"])
def test_another_kind_of_server_is_said_to_be_none(tmp_path: Path, program: str) -> None:
    with own_servers.memcached() as address:
        ended = run_messaging(tmp_path, program, "--target", address)
    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert f"{address}" in ended.stderr
    assert list(tmp_path.glob("results/*/trials/*")) == []


@pytest.mark.needs("redis-server")
def test_a_broadcast_is_counted_by_what_was_published(tmp_path: Path) -> None:
    with own_servers.redis_server() as address:
        arguments = ("--scenario", "broadcast", "--target", address)
        ended = run_messaging(tmp_path, "redis", *arguments)
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    records = [
        json.loads(file.read_text("utf-8"))
        for file in tmp_path.glob("results/*/trials/*/trial.json")
    ]
    assert {record["planned"]["scenario"] for record in records} == {"transfer", "broadcast"}
    assert {record["status"] for record in records} == {"ok"}, [one["detail"] for one in records]
    assert all(record["roles"]["server"]["counted"]["requests"] > 0 for record in records)
