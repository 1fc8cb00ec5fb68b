"""The Go SDK, by its own tests and the tools that every Go programmer runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from go_code import sound

SDK = Path(__file__).parents[2] / "sdk" / "go"

pytestmark = pytest.mark.needs("go")


def test_its_own_tests_pass() -> None:
    assert "no test files" not in sound(SDK, "test", "./...", offline=True)


def test_vet_finds_nothing() -> None:
    sound(SDK, "vet", "./...", offline=True)


def test_it_needs_the_standard_library_alone() -> None:
    wanted = ("-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}")
    listed = sound(SDK, "list", *wanted, "./...", offline=True)
    assert listed.split() == ["wirelab.dev/sdk", "wirelab.dev/sdk/k6"]
