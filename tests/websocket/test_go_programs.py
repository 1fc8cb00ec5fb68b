"""The Go programs of the suite: their own tests, and vet."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SUITE = Path(__file__).parents[2] / "suites" / "websocket"
K6 = SUITE / "generators" / "k6"
MODULES = [file.parent for file in sorted(SUITE.rglob("go.mod"))]

pytestmark = pytest.mark.needs("go")


def go(module: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["go", *arguments],
        cwd=module,
        env={**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=readonly"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_the_worker_of_k6_passes_its_own_tests() -> None:
    tested = go(K6, "test", "./cmd/k6-worker", "./points")
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert "no test files" not in tested.stdout


@pytest.mark.parametrize("module", MODULES, ids=[module.name for module in MODULES])
def test_vet_finds_nothing(module: Path) -> None:
    packages = ["./cmd/k6-worker", "./points"] if module == K6 else ["./..."]
    vetted = go(module, "vet", *packages)
    assert vetted.returncode == 0, vetted.stderr
