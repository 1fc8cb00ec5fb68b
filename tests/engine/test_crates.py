"""The engine, the Rust SDK, servers and contenders in Rust: their own tests and their tools."""

from __future__ import annotations

from pathlib import Path

import pytest

from tested_crates import cargo, compiled_here

ROOT = Path(__file__).parents[2]
TESTED = (
    "sdk/rust",
    "crates/engine",
    "crates/witness",
    "suites/kv/server",
    "suites/opcua/libraries/rust",
)
TEST = ("test", "--locked", "--all-features")
"""A server needs none of the SDK's features: without them their tests are not even compiled."""
pytestmark = [
    pytest.mark.e2e,
    pytest.mark.long(3),
    pytest.mark.needs("cargo"),
]


@pytest.mark.parametrize("crate", TESTED)
def test_its_own_tests_pass(crate: str) -> None:
    folder = ROOT / crate
    with compiled_here(folder):
        # Behind others, whom a compiler would delay; the tests themselves are not to be late.
        built = cargo(folder, *TEST, "--no-run", niceness=10)
        assert built.returncode == 0, built.stdout + built.stderr
        tested = cargo(folder, *TEST)
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert " passed" in tested.stdout
