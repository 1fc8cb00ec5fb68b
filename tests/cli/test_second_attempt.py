"""``wl test`` tries what failed beside other tests once more, alone, and says so."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.command_lines import ROOT, WL, piped
from second_attempt import MOST_FILES

Ended = subprocess.CompletedProcess[str]

SETTINGS = """\
[tool.mypy]
files = ["tests"]
[tool.pytest.ini_options]
testpaths = ["tests"]
addopts = "-q"
"""
SET_UP = """\
\"\"\"Hooks of the tests.\"\"\"

from second_attempt import add_option as pytest_addoption  # noqa: F401
from second_attempt import refuse_where_much_failed as pytest_configure  # noqa: F401
from second_attempt import told


def pytest_terminal_summary(terminalreporter: object) -> None:
    for line in told(terminalreporter):  # type: ignore[arg-type]
        terminalreporter.write_line(line)  # type: ignore[attr-defined]
"""
LATE = """\
from pathlib import Path


def test_it_passes_the_second_time() -> None:
    before = Path(__file__).with_suffix(".ran")
    ran = before.exists()
    before.touch()
    assert ran, "the machine was busy"
"""
BROKEN = """\
def test_it_never_passes() -> None:
    assert sorted("ab") == ["b", "a"]
"""
GOOD = """\
def test_it_passes() -> None:
    assert sorted("ab") == ["a", "b"]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose tests are tried again as ours are, with one that passes."""
    tests = tmp_path / "tests"
    tests.mkdir()
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    (tests / "conftest.py").write_text(SET_UP)
    shutil.copy(ROOT / "tests" / "second_attempt.py", tests)
    (tests / "test_good.py").write_text(GOOD)
    return tmp_path


@pytest.fixture(scope="module")
def wl_test(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Ended]:
    """Run all tests of a project, two at a time, with types that are read once."""
    types = str(tmp_path_factory.mktemp("types"))
    one = str(min(os.sched_getaffinity(0)))

    def run(project: Path) -> Ended:
        wl = ["taskset", "-c", one, *WL]
        return piped("test", cwd=project, root=project, wl=wl, MYPY_CACHE_DIR=types)

    return run


def test_a_test_that_passes_alone_is_told_of(
    project: Path, wl_test: Callable[[Path], Ended]
) -> None:
    (project / "tests" / "test_late.py").write_text(LATE)
    ended = wl_test(project)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "AssertionError: the machine was busy" in ended.stdout
    first, second = ended.stdout.split("== pytest: second attempt")
    name = "tests/test_late.py::test_it_passes_the_second_time"
    assert f"FAILED {name}" in first
    assert "1 failed beside other tests and passed alone (see the failures above):" in second
    assert f"    {name}" in second.splitlines()
    assert "test_good" not in second


def test_a_defect_fails_alone_too(project: Path, wl_test: Callable[[Path], Ended]) -> None:
    (project / "tests" / "test_late.py").write_text(LATE)
    (project / "tests" / "test_broken.py").write_text(BROKEN)
    ended = wl_test(project)
    assert ended.returncode == 1
    second = ended.stdout.split("== pytest: second attempt")[1]
    assert "1 failed beside other tests and passed alone" in second
    assert "assert ['a', 'b'] == ['b', 'a']" in second


def test_nothing_is_repeated_where_much_failed(
    project: Path, wl_test: Callable[[Path], Ended]
) -> None:
    files = [project / "tests" / f"test_late_{number}.py" for number in range(MOST_FILES + 1)]
    for file in files:
        file.write_text(LATE)
    ended = wl_test(project)
    assert ended.returncode == 1
    assert f"{len(files)} tests of {len(files)} files failed: more than" in ended.stderr
    assert "passed alone" not in ended.stdout
