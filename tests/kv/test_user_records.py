"""Records of the user table as the service of Redis looks into them, in a real Redis."""

from __future__ import annotations

import asyncio
import importlib.util
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kv_harness.user_table import FIELDS, NAMES, loaded, name_of_user, value

FOLDER = Path(__file__).parents[2] / "suites/kv/databases/redis"
LOADED = 40
SECRET = bytes(range(32))


@pytest.fixture(scope="module")
def records() -> Any:
    spec = importlib.util.spec_from_file_location("user_records", FOLDER / "user_records.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_field_holds_what_was_loaded_or_written_and_nothing_else(records: Any) -> None:
    fields = dict(enumerate(next(iter(loaded(LOADED, SECRET)))[1]))
    assert len(fields) == FIELDS
    for right in (fields[3], value(0, 3, 17)):
        assert records.is_whole(0, [*({**fields, 3: right}).values()], LOADED)
    for wrong in (b"", None, fields[4], value(1, 3, 17), value(0, 3, 17)[:-1], b"x" * 100):
        assert not records.is_whole(0, [*({**fields, 3: wrong}).values()], LOADED)
    # What a client inserts it knows whole.
    inserted = [value(LOADED, each, 0) for each in range(FIELDS)]
    assert records.is_whole(LOADED, inserted, LOADED)
    assert not records.is_whole(LOADED, [inserted[0], *[None] * (FIELDS - 1)], LOADED)


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[int]:
    """A Redis without anything in it."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
    with subprocess.Popen([*command, "--dir", str(tmp_path)], stdout=subprocess.DEVNULL) as server:
        while ask(port, b"PING") != b"+PONG\r\n":
            assert server.poll() is None
            time.sleep(0.02)
        yield port
        server.terminate()


def ask(port: int, *words: bytes) -> bytes:
    """The answer to a command; empty where nobody answers."""
    parts = b"".join(b"$%d\r\n%b\r\n" % (len(word), word) for word in words)
    try:
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(b"*%d\r\n%b" % (len(words), parts))
            return line.recv(1 << 16)
    except ConnectionError:
        return b""


def put(port: int, number: int, fields: dict[int, bytes]) -> None:
    named = [word for each, held in fields.items() for word in (NAMES[each].encode(), held)]
    assert ask(port, b"HSET", name_of_user(number).encode(), *named).startswith(b":")


def counts(port: int) -> dict[str, int]:
    lines = ask(port, b"INFO", b"stats").decode().splitlines()
    told = dict(line.split(":", 1) for line in lines if ":" in line)
    return {name: int(told[name]) for name in ("keyspace_hits", "keyspace_misses")}


@pytest.mark.needs("redis-server")
def test_records_that_hold_what_nobody_wrote_are_counted_once(records: Any, redis: int) -> None:
    for number, (_, fields) in enumerate(loaded(LOADED, SECRET)):
        put(redis, number, dict(enumerate(fields)))
    looking = records.UserRecords(LOADED)

    def look() -> int:
        held = int(ask(redis, b"DBSIZE")[1:])
        asyncio.run(looking.look(redis, held))
        broken: int = looking.broken
        return broken

    assert look() == 0
    popular = sorted(looking.popular)
    assert len(popular) >= 8
    put(redis, popular[0], {4: value(popular[0], 4, 7)})
    put(redis, LOADED, {each: value(LOADED, each, 0) for each in range(FIELDS)})
    assert look() == 0
    put(redis, popular[1], {4: b""})
    put(redis, LOADED + 2, {0: value(LOADED + 2, 0, 0)})
    assert look() == 2
    # Which was found stays found, whatever is put there afterwards.
    put(redis, popular[1], {4: value(popular[1], 4, 8)})
    assert look() == 2
    # What it has asked for itself it can say.
    found = counts(redis)
    assert found["keyspace_hits"] + found["keyspace_misses"] == looking.looks
    assert looking.heard > looking.looks * 10
