"""What is written in Go for the suite messaging: its own tests, vet and format."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SUITE = Path(__file__).parents[2] / "suites" / "messaging"

pytestmark = pytest.mark.skipif(shutil.which("go") is None, reason="needs Go: https://go.dev/dl")


@pytest.mark.parametrize("command", ["test", "vet"])
def test_go_code_of_our_own_is_sound(command: str) -> None:
    ended = subprocess.run(
        ["go", command, "./..."],
        cwd=SUITE / "libraries" / "go",
        env={**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=readonly"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_go_code_is_formatted() -> None:
    gofmt = shutil.which("gofmt")
    if gofmt is None:
        pytest.skip("needs gofmt, which comes with Go")
    files = [str(file) for file in SUITE.rglob("*.go")]
    assert files
    listed = subprocess.run([gofmt, "-l", *files], capture_output=True, text=True, check=True)
    assert not listed.stdout
