"""k6 as a generator of the suite kv: its worker's own tests, in Go."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

K6 = Path(__file__).parents[2] / "suites" / "kv" / "generators" / "k6"

pytestmark = pytest.mark.needs("go")


@pytest.mark.parametrize("command", ["test", "vet"])
def test_the_worker_of_k6_is_sound(command: str) -> None:
    # Not ./...: that would compile k6 itself.
    ended = subprocess.run(
        ["go", command, "./cmd/k6-worker", "./points"],
        cwd=K6,
        env={**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=readonly"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "no test files" not in ended.stdout
