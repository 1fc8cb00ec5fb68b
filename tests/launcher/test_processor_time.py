"""Whoever runs the tests learns which files took the processors, in one process and in several."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from processor_time import LEAST

ROOT = Path(__file__).parents[2]

HEAVY = """
import subprocess, sys, time
import pytest

BUSY = "import time\\nwhile time.process_time() < {}: pass"

@pytest.fixture(scope="module")
def shared():
    subprocess.run([sys.executable, "-c", BUSY.format(0.5)])

def test_a_child_is_busy(shared):
    subprocess.run([sys.executable, "-c", BUSY.format(0.5)])

def test_it_is_busy_itself(shared):
    end = time.process_time() + 0.5
    while time.process_time() < end: pass
"""
LIGHT = """
import time

def test_waits():
    time.sleep(0.5)
"""


def said_of(folder: Path, *words: str) -> str:
    """Output of pytest about two files, one of which takes seconds of processor time."""
    (folder / "test_heavy.py").write_text(HEAVY)
    (folder / "test_light.py").write_text(LIGHT)
    settings = ["-c", str(ROOT / "pyproject.toml"), "-p", "conftest", "-p", "no:cacheprovider"]
    settings += ["--basetemp", str(folder / "temp")]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *settings, *words, str(folder)],
        env={**os.environ, LEAST: "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.parametrize("words", [[], ["-n", "2"]])
def test_a_file_is_told_with_all_that_it_started(tmp_path: Path, words: list[str]) -> None:
    said = said_of(tmp_path, *words)
    [processor_s] = re.findall(r"^ +(\d+) s \(\d+ s\) .*test_heavy\.py$", said, re.MULTILINE)
    assert int(processor_s) >= 1
    assert "test_light.py" not in said
