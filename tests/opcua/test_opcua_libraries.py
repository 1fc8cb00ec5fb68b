"""The harnesses of the suite opcua in Go and Node.js: their own tests, and vet."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from go_code import sound

ROOT = Path(__file__).parents[2]
LIBRARIES = ROOT / "suites" / "opcua" / "libraries"


@pytest.mark.needs("go")
@pytest.mark.parametrize("command", ["test", "vet"])
def test_go_code_of_our_own_is_sound(command: str) -> None:
    assert "no test files" not in sound(LIBRARIES / "go", command, "./...")


@pytest.mark.needs("node")
def test_the_harness_in_javascript_is_sound(tmp_path: Path) -> None:
    # Where the builder puts packages: the harness finds the SDK beside it.
    packages = tmp_path / "node_modules"
    shutil.copytree(ROOT / "sdk" / "node", packages / "wirelab-sdk")
    shutil.copytree(LIBRARIES / "node", packages / "wirelab-opcua")
    tests = sorted((packages / "wirelab-opcua" / "test").glob("*.test.js"))
    command = ["node", "--test", "--test-reporter=tap", *map(str, tests)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "# pass 7" in ended.stdout
