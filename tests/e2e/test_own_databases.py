"""Databases of the user's own: measured, proved to be, filled by leave, and left as they were."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import subprocess
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import own_servers
import pytest
from own_servers import measured, only

from e2e.conftest import MEASURED

pytestmark = pytest.mark.e2e

_TROUBLE = {"trial-failed", "wrong-answer", "loss-or-error", "resource-sanity"}


@dataclass(frozen=True)
class Database:
    """One kind of server: how it is started, and asked without wirelab."""

    program: str
    contender: str
    start: Callable[[], AbstractContextManager[str]]
    ask: Callable[[str, str], str]
    put: str
    """Has something of somebody else's lie there."""
    look: str
    """Tells what lies there."""
    environment: dict[str, str]


def redis_cli(address: str, command: str) -> str:
    words = ["redis-cli", "-p", address.rpartition(":")[2], "--no-auth-warning"]
    return _said([*words, "-a", own_servers.PASSWORD, *command.split()])


def psql(address: str, command: str) -> str:
    url = f"postgresql://me:{own_servers.PASSWORD}@{address}/postgres"
    return _said(["psql", "-At", url, "-c", command])


def memcached_says(address: str, command: str) -> str:
    host, _, port = address.rpartition(":")
    with own_servers.socket.create_connection((host, int(port)), 10) as connection:
        lines = command.replace("|", "\r\n")
        connection.sendall(f"{lines}\r\nquit\r\n".encode())
        said = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
    kept = ("STAT curr_items", "VALUE", "theirs")
    return "\n".join(line for line in said.splitlines() if line.startswith(kept))


def _said(command: list[str]) -> str:
    ended = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return ended.stdout.strip()


DATABASES = [
    Database(
        "redis",
        "redis-py",
        own_servers.redis_server,
        redis_cli,
        "SET set_1:k1 theirs",
        "KEYS *",
        {"WIRELAB_REDIS_PASSWORD": own_servers.PASSWORD},
    ),
    Database(
        "postgres",
        "asyncpg",
        own_servers.postgres,
        psql,
        "CREATE TABLE set_1 AS SELECT 'theirs' AS key",
        "SELECT nspname, relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace "
        "WHERE nspname !~ '^pg_|^information'",
        {"WIRELAB_POSTGRES_USER": "me", "WIRELAB_POSTGRES_PASSWORD": own_servers.PASSWORD},
    ),
    Database(
        "memcached",
        "pymemcache",
        own_servers.memcached,
        memcached_says,
        "set set_1:k1 0 0 6|theirs",
        "get set_1:k1|stats",
        {},
    ),
]
REDIS = DATABASES[0]
needs_redis = pytest.mark.needs("redis-server")


def with_its_server(database: Database) -> Any:
    """A database as a parameter of a test that starts it."""
    programs = {"redis": ["redis-server"], "postgres": ["psql"], "memcached": ["memcached"]}
    needed = pytest.mark.needs(*programs[database.program])
    return pytest.param(database, marks=needed, id=database.program)


@pytest.fixture(params=[with_its_server(one) for one in DATABASES])
def database(request: pytest.FixtureRequest) -> Database:
    found: Database = request.param
    return found


def run_kv(here: Path, database: Database, *more: str) -> subprocess.CompletedProcess[str]:
    """The smallest run of a database's contender, results below ``here``."""
    return measured(here, "kv", "client", database.contender, database.environment, *more)


def test_without_leave_nothing_is_written_and_nothing_measured(
    tmp_path: Path, database: Database
) -> None:
    with database.start() as address:
        database.ask(address, database.put)
        before = database.ask(address, database.look)
        ended = run_kv(tmp_path, database, "--target", address)
        after = database.ask(address, database.look)
    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert "records that clients ask for are not on" in ended.stderr
    assert "With --fill they are written before the run" in ended.stderr
    assert list(tmp_path.glob("results/*/trials/*")) == []
    assert "theirs" in before or "set_1" in before
    assert after == before


def test_it_is_filled_by_leave_measured_and_left_as_it_was(
    tmp_path: Path, database: Database
) -> None:
    with database.start() as address:
        database.ask(address, database.put)
        before = database.ask(address, database.look)
        ended = run_kv(tmp_path, database, "--target", address, "--fill")
        after = database.ask(address, database.look)
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    assert "raw is unavailable: it talks to bench" in ended.stdout
    assert "theirs" in before or "set_1" in before
    assert after == before

    result = only(tmp_path, "result.json")
    own = result["disclosure"]["own"]
    assert own["targets"] == {database.program: address}
    not_foreign = result["disclosure"]["host"]["not_foreign"]
    assert [one for one in not_foreign if one.startswith(f"{database.program} at {address}: ")]
    found = own["found"][database.program]
    assert found["written"] == found["removed"] > 5_000
    findings = [f for cell in result["cells"] for f in cell["findings"]]
    assert not _TROUBLE & {f["gate"] for f in findings if f["verdict"] != "valid"}

    trial = only(tmp_path, "trials/*/trial.json")
    counted = trial["roles"]["server"]["counted"]
    assert counted["requests"] > 50
    assert counted["counter"] == found["counter"]
    for language, words in (
        ("en", "Measured against a server of your own"),
        ("ko", "사용자의 서버"),
    ):
        (report,) = tmp_path.glob(f"results/*/report-{language}.md")
        text = report.read_text("utf-8")
        assert words in text
        assert address in text
        assert found["counter"] in text


@pytest.mark.parametrize("database", [with_its_server(one) for one in DATABASES if one.environment])
def test_what_is_secret_is_recorded_nowhere(tmp_path: Path, database: Database) -> None:
    with database.start() as address:
        ended = run_kv(tmp_path, database, "--target", address, "--fill")
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.name == "client.spec.json" for path in files)
    secret = own_servers.PASSWORD.encode()
    assert [path for path in files if secret in path.read_bytes()] == []
    assert own_servers.PASSWORD not in ended.stdout + ended.stderr


@needs_redis
def test_a_wrong_password_is_said_and_recorded_nowhere(tmp_path: Path) -> None:
    wrong = dataclasses.replace(
        REDIS, environment={"WIRELAB_REDIS_PASSWORD": "a-wrong-one-to-look-for"}
    )
    with wrong.start() as address:
        ended = run_kv(tmp_path, wrong, "--target", address)
    assert ended.returncode == 2
    assert "your Redis refuses" in ended.stderr
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert [path for path in files if b"a-wrong-one-to-look-for" in path.read_bytes()] == []


@needs_redis
def test_an_application_over_http_reads_from_it(tmp_path: Path) -> None:
    behind = dataclasses.replace(REDIS, contender="redis-py-async")
    with behind.start() as address:
        arguments = ("--scenario", "asgi", "--profile", "check", "--target", f"redis={address}")
        ended = run_kv(tmp_path, behind, *arguments, "--fill")
        left = redis_cli(address, "DBSIZE")
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    trials = [
        json.loads(f.read_text("utf-8")) for f in tmp_path.glob("results/*/trials/*/trial.json")
    ]
    (asgi,) = [trial for trial in trials if trial["planned"]["scenario"] == "asgi"]
    assert asgi["status"] == "ok", asgi["detail"]
    # A request is answered from nine sets of records.
    answered = asgi["roles"]["generator"]["done"]["records"]
    assert asgi["roles"]["server"]["counted"]["requests"] >= answered > 0
    assert left == "0"


@needs_redis
def test_what_lies_under_our_name_and_is_not_ours_stops_the_run(tmp_path: Path) -> None:
    key = "wirelab:set_1:k0"
    with REDIS.start() as address:
        redis_cli(address, f"SET {key} theirs")
        ended = run_kv(tmp_path, REDIS, "--target", address, "--fill")
        left = redis_cli(address, f"GET {key}")
        number = redis_cli(address, "DBSIZE")
    assert ended.returncode == 2
    assert f"{key} on the Redis at {address} is not wirelab's record" in ended.stderr
    assert (left, number) == ("theirs", "1")


@needs_redis
def test_a_server_that_counted_less_than_was_measured_gives_no_figures(tmp_path: Path) -> None:
    over = threading.Event()

    def forget(address: str) -> None:
        while not over.wait(0.02):
            with contextlib.suppress(subprocess.CalledProcessError):
                redis_cli(address, "CONFIG RESETSTAT")

    with REDIS.start() as address:
        forgetting = threading.Thread(target=forget, args=(address,))
        forgetting.start()
        try:
            ended = run_kv(tmp_path, REDIS, "--target", address, "--fill")
        finally:
            over.set()
            forgetting.join()
    trial = only(tmp_path, "trials/*/trial.json")
    assert trial["reason"] == "not-reached", ended.stdout + ended.stderr
    assert f"the server at {address} counted" in trial["detail"]
    result = only(tmp_path, "result.json")
    gates = {f["gate"]: f["verdict"] for cell in result["cells"] for f in cell["findings"]}
    assert gates["trial-failed"] == "invalid"


# A client of PostgreSQL serves applications as well, and brings all that these need.
@pytest.mark.parametrize(
    "missing",
    [
        pytest.param(one, marks=pytest.mark.left_to_all) if one.program == "postgres" else one
        for one in DATABASES
    ],
    ids=lambda one: one.program,
)
def test_a_server_that_is_not_there_is_said_before_anything_is_measured(
    tmp_path: Path, missing: Database
) -> None:
    ended = run_kv(tmp_path, missing, "--target", f"127.0.0.1:{own_servers.free_port()}")
    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert "answers at 127.0.0.1:" in ended.stderr
    assert list(tmp_path.glob("results/*/trials/*")) == []


@pytest.mark.needs("go")
def test_who_cannot_log_in_is_left_out_by_name(tmp_path: Path) -> None:
    unable = dataclasses.replace(REDIS, contender="go-redis")
    ended = run_kv(tmp_path, unable, "--target", "127.0.0.1:6379")
    assert ended.returncode == 2
    assert "go-redis is unavailable: WIRELAB_REDIS_PASSWORD is set" in ended.stdout
