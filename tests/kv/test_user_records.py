"""Records of the user table as services look into them, in a real Redis and a real memcached."""

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
from kv_harness.watched_records import is_whole

FOLDER = Path(__file__).parents[2] / "suites/kv/databases"
LOADED = 40
SECRET = bytes(range(32))


def module_at(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_field_holds_what_was_loaded_or_written_and_nothing_else() -> None:
    fields = dict(enumerate(next(iter(loaded(LOADED, SECRET)))[1]))
    assert len(fields) == FIELDS
    for right in (fields[3], value(0, 3, 17)):
        assert is_whole(0, [*({**fields, 3: right}).values()], LOADED)
    for wrong in (b"", None, fields[4], value(1, 3, 17), value(0, 3, 17)[:-1], b"x" * 100):
        assert not is_whole(0, [*({**fields, 3: wrong}).values()], LOADED)
    # What a client inserts it knows whole.
    inserted = [value(LOADED, each, 0) for each in range(FIELDS)]
    assert is_whole(LOADED, inserted, LOADED)
    assert not is_whole(LOADED, inserted[:-1], LOADED)
    assert not is_whole(LOADED, [inserted[0], *[None] * (FIELDS - 1)], LOADED)


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
def test_records_that_hold_what_nobody_wrote_are_counted_once(redis: int) -> None:
    records = module_at(FOLDER / "redis" / "user_records.py")
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


@pytest.fixture
def memcached() -> Iterator[int]:
    """A memcached without anything in it."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
    command = ["memcached", "-l", "127.0.0.1", "-p", str(port), "-U", "0", "-u", "nobody"]
    with subprocess.Popen(command) as server:
        while not told(port, b"version\r\n").startswith(b"VERSION"):
            assert server.poll() is None
            time.sleep(0.02)
        yield port
        server.terminate()


def told(port: int, command: bytes) -> bytes:
    try:
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(command)
            return line.recv(1 << 16)
    except ConnectionError:
        return b""


def store(port: int, number: int, content: bytes) -> None:
    head = f"set {name_of_user(number)} 0 0 {len(content)}\r\n".encode()
    assert told(port, head + content + b"\r\n") == b"STORED\r\n"


@pytest.mark.needs("memcached")
def test_values_that_hold_what_nobody_wrote_are_counted_once(memcached: int) -> None:
    for number, (_, fields) in enumerate(loaded(LOADED, SECRET)):
        store(memcached, number, b"".join(fields))
    looking = module_at(FOLDER / "memcached" / "user_values.py").UserValues(LOADED)

    def look(held: int) -> int:
        asyncio.run(looking.look(memcached, held))
        broken: int = looking.broken
        return broken

    assert look(LOADED) == 0
    popular = sorted(looking.popular)
    store(memcached, popular[0], b"".join(value(popular[0], each, 7) for each in range(FIELDS)))
    store(memcached, LOADED, b"".join(value(LOADED, each, 0) for each in range(FIELDS)))
    assert look(LOADED + 1) == 0
    store(memcached, popular[1], b"")
    store(memcached, LOADED + 2, value(LOADED + 2, 0, 0))
    assert look(LOADED + 3) == 2
    store(memcached, popular[1], b"".join(value(popular[1], each, 8) for each in range(FIELDS)))
    assert look(LOADED + 3) == 2
    counted = told(memcached, b"stats\r\n").decode()
    assert f"STAT cmd_get {looking.looks}\r\n" in counted
    assert looking.heard > looking.looks * 10
