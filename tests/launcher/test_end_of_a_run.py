"""The end of a run of tests, in one process and in several: verdicts that came from the cache, and
files that took the processors."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from conform import conformance_cache
from processor_time import LEAST

ROOT = Path(__file__).parents[2]

VERDICTS = """
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
HEAVY = """
import subprocess, sys, time
import pytest

BUSY = "import time\\nwhile time.process_time() < 0.2: pass"

@pytest.fixture(scope="module")
def shared():
    subprocess.run([sys.executable, "-c", BUSY])

def test_a_child_is_busy(shared):
    subprocess.run([sys.executable, "-c", BUSY])

def test_it_is_busy_itself(shared):
    end = time.process_time() + 0.2
    while time.process_time() < end: pass
"""
LIGHT = """
import time

def test_waits():
    time.sleep(0.7)
"""


@pytest.fixture(scope="module", params=[["--no-cache"], ["-n", "2"]], ids=["one", "several"])
def said(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Output of pytest about three files, run as the project's are."""
    folder = tmp_path_factory.mktemp("tests")
    for name, text in (("verdicts", VERDICTS), ("heavy", HEAVY), ("light", LIGHT)):
        (folder / f"test_{name}.py").write_text(text)
    settings = ["-c", str(ROOT / "pyproject.toml"), "-p", "conftest", "-p", "no:cacheprovider"]
    # Where runs share a folder, the one that ends removes what earlier ones left: gigabytes.
    settings += ["--basetemp", str(folder / "temp")]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *settings, *request.param, str(folder)],
        env={**os.environ, LEAST: "0.5"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "1 failed, 7 passed, 1 skipped" in ended.stdout, ended.stdout + ended.stderr
    return ended.stdout


def test_a_run_says_how_many_verdicts_came_from_the_cache(said: str) -> None:
    assert "2 conformance verdicts taken from the cache, 2 checked anew" in said


def test_a_run_without_any_says_nothing_of_them() -> None:
    other = SimpleNamespace(when="call", skipped=False, user_properties=[("another", "property")])
    assert conformance_cache.told([other]) == ""


def test_a_file_is_told_with_all_that_it_started(said: str) -> None:
    # Two programs and a test, none of which is worth a line alone.
    [processor_s] = re.findall(r"^ +(\d+) s \(\d+ s\) .*test_heavy\.py$", said, re.MULTILINE)
    assert int(processor_s) >= 1
    assert "test_light.py" not in said
