"""Tests side by side: what computes goes behind what must not be late."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from side_by_side import BEHIND, COMPUTING, PATIENT
from wirelab.cli import test

TESTS = Path(__file__).parents[1]

HOOKS = """\
import side_by_side


def pytest_xdist_make_scheduler(config, log):
    return side_by_side.scheduler(config, log)


def pytest_collection_finish(session):
    side_by_side.stand_behind(session.config)
"""
TELLING = """\
import json
import os
from pathlib import Path

import pytest


@pytest.mark.parametrize("number", range(3))
def test_it_says_where_it_runs(number):
    told = [os.environ["PYTEST_XDIST_WORKER"], os.getpriority(os.PRIO_PROCESS, 0)]
    Path(f"{Path(__file__).stem}-{number}.json").write_text(json.dumps(told))
"""


def ran(project: Path, files: list[str]) -> dict[str, Any]:
    """Process and niceness of each test of these files, which a process and one behind it ran."""
    tests = project / "tests"
    tests.mkdir()
    (tests / "conftest.py").write_text(HOOKS)
    shutil.copy(TESTS / "side_by_side.py", tests)
    for file in files:
        (tests / file).parent.mkdir(exist_ok=True)
        (tests / file).write_text(TELLING)
    dist = ("-n", "2", "--dist", "loadscope", "--no-loadscope-reorder", "-p", "no:cacheprovider")
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *dist, "tests"],
        cwd=project,
        env={**os.environ, BEHIND: "gw1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert f"{3 * len(files)} passed" in ended.stdout
    return {path.stem: json.loads(path.read_text()) for path in project.glob("*.json")}


def test_the_command_and_the_tests_mean_the_same_variable() -> None:
    assert test.BEHIND == BEHIND


def test_what_computes_goes_behind_and_nothing_else_does(tmp_path: Path) -> None:
    real = [f"e2e/test_real_{number}.py" for number in range(3)]
    computing = [f"cells/test_figures_{number}.py" for number in range(3)]
    found = ran(tmp_path, [*real, *computing])
    assert len(found) == 18
    own = os.getpriority(os.PRIO_PROCESS, 0)
    behind = {name for name, (process, _) in found.items() if process == "gw1"}
    assert {name.rpartition("_")[0] for name in behind} == {"test_figures"}
    assert {found[name][1] for name in behind} == {min(own + 10, 19)}
    assert {nice for name, (_, nice) in found.items() if name not in behind} == {own}


def test_what_is_patient_goes_behind_first(tmp_path: Path) -> None:
    real = [f"e2e/test_real_{number}.py" for number in range(2)]
    patient = sorted(f"e2e/{name}" for name in PATIENT)
    found = ran(tmp_path, [*real, *patient])
    behind = {name.rpartition("-")[0] for name, (process, _) in found.items() if process == "gw1"}
    first = Path(max(patient)).stem
    assert first in behind <= {Path(name).stem for name in patient}


@pytest.mark.parametrize("name", sorted(PATIENT))
def test_every_patient_file_is_there(name: str) -> None:
    assert len(list(TESTS.glob(f"*/{name}"))) == 1


def test_a_process_without_anything_to_compute_ends(tmp_path: Path) -> None:
    found = ran(tmp_path, [f"e2e/test_real_{number}.py" for number in range(4)])
    assert {process for process, _ in found.values()} == {"gw0"}


@pytest.mark.parametrize("folder", sorted(COMPUTING))
def test_what_computes_starts_no_server_and_no_client(folder: str) -> None:
    files = sorted((TESTS / folder).glob("test_*.py"))
    assert files
    for file in files:
        said = file.read_text("utf-8")
        assert "pytest.mark.e2e" not in said, file
        assert "SuiteRepository" not in said, file
