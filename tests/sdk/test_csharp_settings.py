"""A worker in C# whose runtime is another one than was declared."""

from __future__ import annotations

import ctypes.util
import os
from pathlib import Path
from typing import Any

import pytest
from scripted_worker import PATIENCE_S, compile_worker, running

pytestmark = pytest.mark.needs("dotnet")

SET = {
    "DOTNET_gcServer": "0",
    "DOTNET_gcConcurrent": "0",
    "DOTNET_TieredCompilation": "1",
    "DOTNET_TieredPGO": "0",
}
HELD = {"gc": "workstation", "gc_concurrent": "no", "tiered_compilation": "yes", "tiered_pgo": "no"}
OTHERWISE = {
    "gc": "server",
    "gc_concurrent": "yes",
    "tiered_compilation": "no",
    "tiered_pgo": "yes",
}
PROCESSORS = len(os.sched_getaffinity(0))
FIFTY = {"threads_min": 50}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that runs the scripted client."""
    return compile_worker("csharp", tmp_path_factory.mktemp("classes"))


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SET.items():
        monkeypatch.setenv(name, value)


def test_a_runtime_as_it_was_declared_is_at_work(client: list[str], tmp_path: Path) -> None:
    with running(client, tmp_path, parameters=HELD) as worker:
        assert worker.until("ready")["library"]["name"] == "scripted"


@pytest.mark.parametrize(
    ("declared", "found"), [({}, PROCESSORS), ({"threads_min": 0}, PROCESSORS), (FIFTY, 50)]
)
def test_the_pool_begins_with_as_many_threads_as_were_declared(
    client: list[str], tmp_path: Path, declared: dict[str, int], found: int
) -> None:
    with running(client, tmp_path, parameters={**HELD, **declared}) as worker:
        worker.until("ready")
        worker.until_said(f"the pool begins with {found} threads")


@pytest.mark.parametrize("name", OTHERWISE)
def test_another_runtime_is_fatal(client: list[str], tmp_path: Path, name: str) -> None:
    changes: dict[str, Any] = {"parameters": {**HELD, name: OTHERWISE[name]}}
    with running(client, tmp_path, **changes) as worker:
        error = worker.until("error")
        assert worker.process.wait(PATIENCE_S) == 1
    expected = f"{name}: declared as {OTHERWISE[name]}, and the runtime has {HELD[name]}"
    assert (error["scope"], error["message"]) == ("fatal", expected)


def test_what_every_thread_allocates_is_told(client: list[str], tmp_path: Path) -> None:
    """Calls are awaited, so that they allocate on whatever thread of the pool they go on."""
    with running(client, tmp_path, parameters={"allocated": 1_000_000}) as worker:
        calls = len(worker.run())
    assert calls == 10 + 4
    said = [e["allocated_bytes"] for e in worker.events if e["event"] == "runtime"]
    assert said[-1] > calls * 1_000_000


@pytest.mark.parametrize(("invariant", "german"), [("0", "0,5"), ("1", "unknown")])
def test_a_language_of_the_user_changes_no_number(
    client: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    invariant: str,
    german: str,
) -> None:
    if invariant == "0" and ctypes.util.find_library("icuuc") is None:
        pytest.skip("ICU is not installed here: .NET begins without it or not at all")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setenv("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", invariant)
    with running(client, tmp_path) as worker:
        worker.until_said(f"a half is 0.5, in German {german}")
        records = worker.run()
    assert len(records) == 10 + 4
