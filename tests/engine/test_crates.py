"""The engine, the Rust SDK, servers and contenders in Rust: their own tests and their tools."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

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
TARGET = ROOT / ".wirelab" / "cargo"
"""Folder of this tree alone: cargo tells what is new by times of files, and would take programs of
another tree that were built later for those of this one."""
pytestmark = [
    pytest.mark.e2e,
    pytest.mark.long(3),
    pytest.mark.needs("cargo"),
]


def cargo(crate: str, *arguments: str, niceness: int = 0) -> subprocess.CompletedProcess[str]:
    """Run cargo on a crate; what it makes is shared by the crates."""
    return subprocess.run(
        ["nice", "-n", str(niceness), "cargo", *arguments],
        cwd=ROOT / crate,
        env={
            **os.environ,
            "CARGO_TARGET_DIR": str(TARGET),
            # A fifth of the compiler's time; no debugger is attached here.
            "CARGO_PROFILE_DEV_DEBUG": "0",
            # The engine's tests wait for servers and for the schedule most of their time.
            "RUST_TEST_THREADS": "6",
        },
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )


@pytest.mark.parametrize("crate", TESTED)
def test_its_own_tests_pass(crate: str) -> None:
    # Behind others, whom a compiler would delay; the tests themselves are not to be late.
    built = cargo(crate, *TEST, "--no-run", niceness=10)
    assert built.returncode == 0, built.stdout + built.stderr
    tested = cargo(crate, *TEST)
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert " passed" in tested.stdout
