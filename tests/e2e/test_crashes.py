"""A worker that crashes: its exception, its log, and the way to run it by hand."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from e2e.conftest import SABOTAGED, SUITES, SuiteRepository

pytestmark = pytest.mark.e2e

WORKERS = SUITES["loopback"].parent / "workers"

MANIFEST = """
contender = "crashes"
title = "Crashes"
language = "{language}"
suite = "loopback"
scenarios = ["s1"]

[library]
name = "loopback"
version = "1.0"
licence = "Apache-2.0"

[build]
kind = "none"

[run]
command = {command}
"""

IN_PYTHON = f"""
import itertools
import sys

sys.path.insert(0, {str(WORKERS)!r})
from reference import Reference, read_spec


class Crashes(Reference):
    def ticks(self, start_ns):
        yield from itertools.islice(super().ticks(start_ns), 5)
        raise LookupError("no such tag: 17")


Crashes(read_spec()).run()
"""

IN_NODE = """
function connect() { throw new TypeError("no socket today") }
setTimeout(connect, 10)
"""


def crashing(
    house: SuiteRepository, name: str, program: str, command: list[str], language: str
) -> Path:
    """A contender outside of the tree."""
    folder = house.root / "mine"
    folder.mkdir()
    (folder / name).write_text(program)
    manifest = MANIFEST.format(language=language, command=json.dumps(command))
    (folder / "contender.toml").write_text(manifest)
    return folder


def run(house: SuiteRepository, folder: Path) -> tuple[str, dict[str, Any]]:
    """The output of a run, and the record of its trial."""
    ended = house.here(
        *("run", "loopback", "--scenario", "s1", "--profile", "once"),
        *("--contender", f"{folder}/"),
    )
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    (record,) = house.only_run().glob("trials/*/trial.json")
    return ended.stdout, json.loads(record.read_text())


def line_after(name: str, told: str) -> str:
    """The rest of the line that begins with ``name``."""
    found = re.search(rf"^\s+{re.escape(name)}: (.+)$", told, re.MULTILINE)
    assert found, told
    return found[1]


def check_told(house: SuiteRepository, told: str, record: dict[str, Any], exception: str) -> None:
    """The exception is in the sentence, the log is named, the report says both."""
    assert record["detail"].endswith(f": {exception}"), record["detail"]
    assert record["detail"] in told
    log = Path(line_after("log", told))
    assert exception in log.read_text()
    trial = record["planned"]["id"]
    report = (house.only_run() / "report-en.md").read_text()
    assert exception in report
    assert f"trials/{trial}/{log.name}" in report
    assert line_after("by hand", told) in report
    assert shlex.split(line_after("was started as", told)) == record["roles"]["client"]["command"]


def check_by_hand(house: SuiteRepository, told: str, exception: str) -> Path:
    """The check that the run named shows the same, and keeps a script; returns that."""
    before = contents(house.only_run())
    words = shlex.split(line_after("by hand", told))
    assert words[:2] == ["./wl", "conform"]
    checked = house.wl(*words[1:])
    assert checked.returncode == 1, checked.stdout + checked.stderr
    found = re.search(rf"{re.escape(exception)} \(log: (\S+); by hand: sh (\S+)\)", checked.stdout)
    assert found, checked.stdout
    assert exception in Path(found[1]).read_text()
    assert contents(house.only_run()) == before
    return Path(found[2])


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below ``folder``."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def house(tmp_path: Path) -> SuiteRepository:
    """Remove the folder of a check with the test."""
    house = SuiteRepository(tmp_path / "house")
    kept = tmp_path / "kept"
    kept.mkdir()
    house.environment["TMPDIR"] = str(kept)
    return house


def test_a_crash_in_python_shows_its_exception(house: SuiteRepository) -> None:
    command = ["{python}", "{source}/worker.py"]
    told, record = run(house, crashing(house, "worker.py", IN_PYTHON, command, "Python"))
    assert record["detail"].startswith("client ended with exit code 1: ")
    check_told(house, told, record, "LookupError: no such tag: 17")
    script = check_by_hand(house, told, "LookupError: no such tag: 17")
    assert "mine/worker.py" in script.read_text()


@pytest.mark.needs("node")
def test_a_crash_in_node_shows_its_exception(house: SuiteRepository) -> None:
    command = ["node", "{source}/worker.js"]
    told, record = run(house, crashing(house, "worker.js", IN_NODE, command, "JavaScript"))
    check_told(house, told, record, "TypeError: no socket today")
    script = check_by_hand(house, told, "TypeError: no socket today")
    before = contents(house.only_run())
    again = subprocess.run(
        ["sh", str(script)], capture_output=True, text=True, check=False, timeout=60
    )
    assert again.returncode == 1
    assert "TypeError: no socket today" in again.stderr
    assert contents(house.only_run()) == before
