"""Brokers that ask for a password: the right one is let in, the wrong one is not."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from wirelab_sdk.server_program import ServerProgramError, start

SUITE = Path(__file__).parents[2] / "suites" / "messaging"


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """``credentials`` of the brokers' library, which the brokers themselves import too."""
    monkeypatch.syspath_prepend(str(SUITE / "libraries" / "brokers"))
    monkeypatch.delitem(sys.modules, "credentials", raising=False)
    import credentials

    return credentials


def worker_of(broker: str) -> ModuleType:
    """The program of a broker; all of them are called ``worker``."""
    path = SUITE / "brokers" / broker / "worker.py"
    spec = importlib.util.spec_from_file_location(f"messaging_{broker}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def spec_of(parameters: dict[str, str], seed: int = 1) -> Any:
    return SimpleNamespace(trial="0001-faults", seed=seed, parameters=parameters)


def test_a_broker_asks_only_where_a_trial_wants_it(library: ModuleType) -> None:
    assert library.asked_for(spec_of({})) is None
    right = library.asked_for(spec_of({"credentials": "right"}))
    assert right.told == right.password
    # A broker that never goes without a password tells the right one.
    assert library.Credentials.of(spec_of({})) == right


def test_clients_are_told_another_password_in_one_fault(library: ModuleType) -> None:
    wrong = library.Credentials.of(spec_of({"credentials": "wrong"}))
    assert wrong.told != wrong.password
    assert wrong.password == library.Credentials.of(spec_of({})).password
    assert wrong.password not in wrong.in_address


def test_a_restarted_broker_has_its_password_again(library: ModuleType) -> None:
    once, again = (library.Credentials.of(spec_of({})) for _ in range(2))
    assert once == again
    assert library.Credentials.of(spec_of({}, seed=2)) != once


def test_a_word_that_means_nothing_is_refused(library: ModuleType) -> None:
    with pytest.raises(ServerProgramError, match='found "left"'):
        library.Credentials.of(spec_of({"credentials": "left"}))


# ------------------------------------------------------------------------- real brokers

Login = Callable[[int, str, str], Awaitable[bool]]


async def talk(port: int, said: bytes, until: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(said)
        async with asyncio.timeout(5):
            return await reader.readuntil(until)
    finally:
        writer.close()


async def nats(port: int, user: str, password: str) -> bool:
    greeting = json.dumps({"verbose": False, "user": user, "pass": password})
    said = f"CONNECT {greeting}\r\nPING\r\n".encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(said)
        async with asyncio.timeout(5):
            await reader.readline()
            return (await reader.readline()).startswith(b"PONG")
    finally:
        writer.close()


async def redis(port: int, _user: str, password: str) -> bool:
    return (await talk(port, f"AUTH {password}\r\n".encode(), b"\r\n")).startswith(b"+OK")


async def mosquitto(port: int, user: str, password: str) -> bool:
    def text(said: str) -> bytes:
        return len(said).to_bytes(2, "big") + said.encode()

    body = text("MQTT") + bytes((4, 0xC2, 0, 5)) + text("") + text(user) + text(password)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(bytes((0x10, len(body))) + body)
        async with asyncio.timeout(5):
            return await reader.readexactly(4) == bytes.fromhex("20 02 00 00")
    finally:
        writer.close()


@pytest.mark.e2e
@pytest.mark.left_to_all
@pytest.mark.parametrize(
    ("name", "kind", "login"),
    [("nats", "Nats", nats), ("redis", "Redis", redis), ("mosquitto", "Mosquitto", mosquitto)],
)
def test_a_broker_knows_one_password(
    library: ModuleType, tmp_path: Path, name: str, kind: str, login: Login
) -> None:
    known = library.Credentials.of(spec_of({"credentials": "wrong"}))
    made = getattr(worker_of(name), kind)(known)

    async def tried() -> tuple[bool, bool, str]:
        running = await start(made, "127.0.0.1:0", tmp_path, 20)
        try:
            right = await login(running.port, known.user, known.password)
            wrong = await login(running.port, known.user, known.told)
            return right, wrong, made.endpoint(running.port)
        finally:
            await running.end(3)

    try:
        right, wrong, address = asyncio.run(tried())
    except ServerProgramError as missing:
        if "is not in" in str(missing):
            pytest.skip(str(missing))
        raise
    assert right
    assert not wrong
    assert known.told in address
    assert known.password not in address
