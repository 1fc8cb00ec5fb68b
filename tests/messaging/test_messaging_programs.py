"""The Go programs of the suite messaging: their own tests, vet and format."""

from __future__ import annotations

from pathlib import Path

import pytest

from go_code import sound

SUITE = Path(__file__).parents[2] / "suites" / "messaging"

pytestmark = pytest.mark.needs("go")


@pytest.mark.parametrize("command", ["test", "vet"])
def test_go_code_of_our_own_is_sound(command: str) -> None:
    sound(SUITE / "libraries" / "go", command, "./...")
