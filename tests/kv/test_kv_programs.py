"""The Go and Rust programs of the suite kv: their own tests, and their workers by contract."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from test_kv_verify import verifier

from go_code import sound
from wirelab import cache, conform

ROOT = Path(__file__).parents[2]
SUITE = ROOT / "suites" / "kv"
LIBRARIES = SUITE / "libraries"
MILLISECOND = 1_000_000

needs_go = pytest.mark.needs("go")
needs_rust = pytest.mark.needs("cargo")


# ------------------------------------------------------------------------------------------ Go
@needs_go
@pytest.mark.parametrize("command", ["test", "vet"])
def test_go_code_of_our_own_is_sound(command: str) -> None:
    sound(LIBRARIES / "go", command, "./...", offline=True)


# ---------------------------------------------------------------------------------------- Rust
BUILT = cache.home() / "cargo" / "tests"


def cargo(*arguments: str) -> None:
    ended = subprocess.run(
        ["nice", "cargo", *arguments],
        cwd=LIBRARIES / "rust",
        # As tests/engine does, whose crates these are as well.
        env={**os.environ, "CARGO_TARGET_DIR": str(BUILT), "CARGO_PROFILE_DEV_DEBUG": "0"},
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.fixture(scope="module", name="memory")
def _memory() -> list[str]:
    """The command of a worker whose store is computed: nothing but the drivers can go wrong."""
    cargo("build", "--locked", "--example", "memory")
    return [str(BUILT / "debug" / "examples" / "memory")]


@needs_rust
@pytest.mark.e2e
@pytest.mark.long(1)
def test_rust_code_of_our_own_is_sound() -> None:
    cargo("test", "--locked", "--lib")


def worker(command: list[str], loop: str, **changes: Any) -> conform.CheckedWorker:
    """A client of two steps, each with keys of its own, whose answers are verified."""
    read = {"code": 1, "every": 1, "items": 1, "preflight": 2, "due": "tick", "record": "samples"}
    described: dict[str, Any] = {
        "command": command,
        "role": "client",
        "suite": "kv",
        "loop": loop,
        "operations": {"read": read},
        "parameters": {"universe": 10_000, "keys_are": "drawn", "barrier": True},
        "steps": (
            step("few", users=3, set=1, keys=5),
            step("many", users=10, set=9, keys=50, keys_are="repeated"),
        ),
        "period_ns": 20 * MILLISECOND,
        "operation_ns": 2000 * MILLISECOND,
        "stop_ns": 2000 * MILLISECOND,
        "verify": verifier.verify,
        **changes,
    }
    return conform.CheckedWorker(**described)


def step(name: str, users: int, **parameters: Any) -> dict[str, Any]:
    sizes = {"users": users, "lanes": users, "settle": 2, "join_ns": None}
    return {"name": name, **sizes, "parameters": parameters}


@needs_rust
@pytest.mark.e2e
@pytest.mark.long(1)
@pytest.mark.parametrize("loop", ["closed", "open"])
def test_lanes_in_rust_keep_the_contract(memory: list[str], loop: str) -> None:
    checks = conform.check(worker(memory, loop))
    assert [str(check) for check in checks if check.outcome == "fail"] == []
    found = {check.name: check for check in checks}
    # In a closed loop lanes settle as well: 12 ticks of 3 lanes, 12 of 10.
    lanes = {"closed": 12 * 3 + 12 * 10, "open": 10 * 3 + 12 * 3 + 10 * 7}
    assert found["schedule"].detail.startswith(f"{lanes[loop]} turns of lanes")
    assert (found["answers"].outcome, found["values"].outcome) == ("pass", "pass")


@needs_rust
@pytest.mark.e2e
@pytest.mark.long(1)
@pytest.mark.parametrize("barrier", [True, False])
def test_reads_without_an_end_are_given_up_in_rust(memory: list[str], *, barrier: bool) -> None:
    hanging = {"universe": 10_000, "ends": 20, "barrier": barrier}
    few = (step("few", users=3, set=1, keys=5),)
    limits = {"operation_ns": 100 * MILLISECOND, "period_ns": 500 * MILLISECOND}
    checks = conform.check(worker(memory, "closed", steps=few, parameters=hanging, **limits))
    assert [str(check) for check in checks if check.outcome == "fail"] == []
    found = {check.name: check for check in checks}
    # Two of the preflight and 18 of the 36 due have ended; the others are recorded all the same.
    assert found["samples"].detail.startswith("36 records, 18 not ok")
