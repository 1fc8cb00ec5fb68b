"""The harness of the suite opcua in Go: its own tests, and vet."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIBRARIES = ROOT / "suites" / "opcua" / "libraries"


@pytest.mark.needs("go")
@pytest.mark.parametrize("command", ["test", "vet"])
def test_go_code_of_our_own_is_sound(command: str) -> None:
    ended = subprocess.run(
        ["go", command, "./..."],
        cwd=LIBRARIES / "go",
        env={**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=readonly"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "no test files" not in ended.stdout
