"""The Go SDK, by its own tests and the tools that every Go programmer runs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SDK = Path(__file__).parents[2] / "sdk" / "go"

pytestmark = pytest.mark.needs("go")


def go(*arguments: str) -> subprocess.CompletedProcess[str]:
    # A newer toolchain or a module from elsewhere would be fetched; the SDK needs neither.
    offline = {"GOTOOLCHAIN": "local", "GOFLAGS": "-mod=readonly", "GOPROXY": "off"}
    return subprocess.run(
        ["go", *arguments],
        cwd=SDK,
        env={**os.environ, **offline},
        capture_output=True,
        text=True,
        check=False,
    )


def test_its_own_tests_pass() -> None:
    tested = go("test", "./...")
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert "no test files" not in tested.stdout


def test_vet_finds_nothing() -> None:
    vetted = go("vet", "./...")
    assert vetted.returncode == 0, vetted.stderr


def test_it_needs_the_standard_library_alone() -> None:
    listed = go("list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./...")
    assert listed.stdout.split() == ["wirelab.dev/sdk", "wirelab.dev/sdk/k6"], listed.stderr
