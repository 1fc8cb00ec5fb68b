"""A run says how many verdicts it took from the cache, in one process and in several."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

TESTS = """
import pytest
from conform.conformance_cache import ANEW, PROPERTY, TAKEN

@pytest.mark.parametrize("verdict", [TAKEN, TAKEN, ANEW])
def test_some(verdict, record_property):
    record_property(PROPERTY, verdict)

def test_that_fails(record_property):
    record_property(PROPERTY, ANEW)
    assert False

def test_that_is_skipped(record_property):
    record_property(PROPERTY, ANEW)
    pytest.skip("cannot be built")

def test_other(): pass
"""


def said_of(tmp_path: Path, text: str, *words: str) -> str:
    """Output of pytest about a file of tests, run as the project's are."""
    (tmp_path / "test_some.py").write_text(text)
    settings = ["-c", str(ROOT / "pyproject.toml"), "-p", "conftest", "-p", "no:cacheprovider"]
    # Where runs share a folder, the one that ends removes what earlier ones left: gigabytes.
    settings += ["--basetemp", str(tmp_path / "temp")]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *settings, *words, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return ended.stdout + ended.stderr


@pytest.mark.parametrize("words", [[], ["-n", "2"], ["--no-cache"]])
def test_the_run_says_how_many_came_from_the_cache(tmp_path: Path, words: list[str]) -> None:
    said = said_of(tmp_path, TESTS, *words)
    assert "2 conformance verdicts taken from the cache, 2 checked anew" in said


def test_a_run_without_any_says_nothing_of_them(tmp_path: Path) -> None:
    said = said_of(tmp_path, "def test_other(): pass")
    assert "1 passed" in said or "100%" in said
    assert "conformance" not in said
