"""k6 as a generator of the suite kv: its worker's own tests, in Go."""

from __future__ import annotations

from pathlib import Path

import pytest

from go_code import sound

K6 = Path(__file__).parents[2] / "suites" / "kv" / "generators" / "k6"

pytestmark = pytest.mark.needs("go")


@pytest.mark.parametrize("command", ["test", "vet"])
def test_the_worker_of_k6_is_sound(command: str) -> None:
    # Not ./...: that would compile k6 itself.
    said = sound(K6, command, "./cmd/k6-worker", "./points")
    assert "no test files" not in said
