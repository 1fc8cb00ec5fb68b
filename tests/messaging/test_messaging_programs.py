"""The Go and Rust programs of the suite messaging: their own tests, vet and format."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from go_code import sound
from wirelab import cache

SUITE = Path(__file__).parents[2] / "suites" / "messaging"


@pytest.mark.needs("go")
@pytest.mark.parametrize("command", ["test", "vet"])
def test_go_code_of_our_own_is_sound(command: str) -> None:
    sound(SUITE / "libraries" / "go", command, "./...")


@pytest.mark.needs("go")
def test_a_contender_keeps_the_limits_of_its_operations() -> None:
    sound(SUITE / "contenders" / "go-mqtt", "test", "./...")


@pytest.mark.needs("cargo")
@pytest.mark.e2e
def test_rust_code_of_our_own_is_sound() -> None:
    built = cache.home() / "cargo" / "tests"
    ended = subprocess.run(
        ["nice", "cargo", "test", "--locked", "--lib"],
        cwd=SUITE / "libraries" / "rust",
        # As tests/engine does, whose crates these are as well.
        env={**os.environ, "CARGO_TARGET_DIR": str(built), "CARGO_PROFILE_DEV_DEBUG": "0"},
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
