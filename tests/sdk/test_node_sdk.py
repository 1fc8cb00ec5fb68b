"""The Node.js SDK: its own tests, run by Node's test runner, each one a test here."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SDK = Path(__file__).parents[2] / "sdk" / "node"
TESTS = sorted((SDK / "test").glob("*.test.js"))
PATIENCE_S = 180
OLDEST = 20


def _node_version() -> int:
    """Major version of the Node.js on PATH; 0 when there is none."""
    if shutil.which("node") is None:
        return 0
    answer = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
    return int(answer.stdout.removeprefix("v").partition(".")[0])


needs_node = pytest.mark.skipif(_node_version() < OLDEST, reason=f"needs Node.js {OLDEST} or later")


@pytest.mark.needs("node")
@needs_node
@pytest.mark.parametrize("file", TESTS, ids=[file.name for file in TESTS])
def test_its_own_tests_pass(file: Path) -> None:
    ended = subprocess.run(
        ["node", "--test", "--test-reporter=tap", str(file)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    # A file in which no test was found would pass as well.
    passed = next(line for line in ended.stdout.splitlines() if line.startswith("# pass "))
    assert int(passed.removeprefix("# pass ")) > 1


def test_the_tests_are_found() -> None:
    parts = ("batches", "cluster", "lanes", "parts", "server", "ticks", "vectors")
    assert [file.name for file in TESTS] == [f"{part}.test.js" for part in parts]


def test_it_is_a_package_that_brings_nothing_along() -> None:
    text = (SDK / "package.json").read_text(encoding="utf-8")
    assert "ependencies" not in text
    imported = {
        line.partition(" from '")[2].rstrip("';")
        for source in [SDK / "index.js", *(SDK / "src").glob("*.js")]
        for line in source.read_text(encoding="utf-8").splitlines()
        if " from '" in line and line.startswith(("import ", "export "))
    }
    assert {name for name in imported if not name.startswith(("node:", "./"))} == set()
    assert "node:fs" in imported, "imports were found at all"
