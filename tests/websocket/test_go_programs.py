"""The Go programs of the suite: their own tests, and vet."""

from __future__ import annotations

from pathlib import Path

import pytest

from go_code import sound

SUITE = Path(__file__).parents[2] / "suites" / "websocket"
K6 = SUITE / "generators" / "k6"
MODULES = [file.parent for file in sorted(SUITE.rglob("go.mod"))]

pytestmark = pytest.mark.needs("go")


def test_the_worker_of_k6_passes_its_own_tests() -> None:
    assert "no test files" not in sound(K6, "test", "./cmd/k6-worker", "./points")


@pytest.mark.parametrize("module", MODULES, ids=[module.name for module in MODULES])
def test_vet_finds_nothing(module: Path) -> None:
    packages = ["./cmd/k6-worker", "./points"] if module == K6 else ["./..."]
    sound(module, "vet", *packages)
