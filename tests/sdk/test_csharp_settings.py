"""What a worker in C# does where its runtime is another one than was declared."""

from __future__ import annotations

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


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that runs the scripted client."""
    return compile_worker("csharp", tmp_path_factory.mktemp("classes"))


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SET.items():
        monkeypatch.setenv(name, value)


def test_a_runtime_as_it_was_declared_is_at_work(client: list[str], tmp_path: Path) -> None:
    with running(client, tmp_path, parameters={**HELD, "threads_min": 50}) as worker:
        assert worker.until("ready")["library"]["name"] == "scripted"


@pytest.mark.parametrize("name", OTHERWISE)
def test_another_runtime_is_fatal(client: list[str], tmp_path: Path, name: str) -> None:
    changes: dict[str, Any] = {"parameters": {**HELD, name: OTHERWISE[name]}}
    with running(client, tmp_path, **changes) as worker:
        error = worker.until("error")
        assert worker.process.wait(PATIENCE_S) == 1
    expected = f"{name}: declared as {OTHERWISE[name]}, and the runtime has {HELD[name]}"
    assert (error["scope"], error["message"]) == ("fatal", expected)
