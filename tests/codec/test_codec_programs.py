"""The Go programs of the codec suite: their own tests, vet and format."""

from __future__ import annotations

from pathlib import Path

import pytest

from go_code import sound

SUITE = Path(__file__).parents[2] / "suites" / "codec"
OURS = [SUITE / "libraries" / "go", SUITE / "contenders" / "go-cgd-buffer"]

pytestmark = pytest.mark.needs("go")


@pytest.mark.parametrize("module", OURS, ids=[module.name for module in OURS])
@pytest.mark.parametrize("command", ["test", "vet"])
def test_go_code_of_our_own_is_sound(module: Path, command: str) -> None:
    sound(module, command, "./...")
