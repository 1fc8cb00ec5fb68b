"""The checker's folder stands alone: copied elsewhere, on the standard library, as any program."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from to_check import document

from wirelab.run.checking import WantedChecks

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "src/wirelab/conform"
HONEST = ROOT / "tests/sabotage/suite/contenders/honest"


def imported(module: Path) -> Iterator[str]:
    """Imports of a module from outside of its folder."""
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level != 1:
            yield f"{'.' * node.level}{node.module or ''}"


@pytest.mark.parametrize("module", sorted(FOLDER.rglob("*.py")), ids=lambda path: path.stem)
def test_a_module_needs_the_standard_library_alone(module: Path) -> None:
    outside = {name.partition(".")[0] for name in imported(module)}
    assert outside <= sys.stdlib_module_names


@pytest.mark.parametrize("module", sorted(FOLDER.rglob("*.py")), ids=lambda path: path.stem)
def test_no_module_has_the_name_of_one_of_the_standard_library(module: Path) -> None:
    # Until __main__ has taken the folder off the module path, it would be found in its place.
    assert module.stem not in sys.stdlib_module_names


def carried(tmp_path: Path, *words: str, name: str = "conform") -> subprocess.CompletedProcess[str]:
    """The folder, copied away and run by a Python that sees no installed package."""
    copy = tmp_path / name
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, "-I", "-S", str(copy), *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=tmp_path,
        env=environment,
    )


@pytest.fixture
def written(tmp_path: Path) -> str:
    """Description of the honest contender, as ``wl conform --write`` writes it."""
    file = tmp_path / "honest.json"
    file.write_text(json.dumps(document(HONEST, WantedChecks(scenario="s1"))))
    return str(file)


@pytest.mark.parametrize("name", ["conform", "contract-checker"])
def test_it_can_be_carried_alone(tmp_path: Path, written: str, name: str) -> None:
    result = carried(tmp_path, written, name=name)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "pass  schedule: ticks 0 to 11" in result.stdout


def test_its_neighbours_do_not_disturb_it(tmp_path: Path, written: str) -> None:
    for neighbour in ("contract", "trial", "wirelab"):
        (tmp_path / f"{neighbour}.py").write_text("raise RuntimeError('not the one meant')\n")
    result = carried(tmp_path, written, "--role", "broker")
    assert "has no role broker; those to check are: " in result.stderr


def test_it_is_a_module_of_wirelab_too(written: str) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "wirelab.conform", written, "--role", "broker"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 2
    assert "has no role broker; those to check are: " in result.stderr


def test_a_failing_check_is_exit_code_one(tmp_path: Path, written: str) -> None:
    result = carried(tmp_path, written, "--", "false")
    assert result.returncode == 1
    assert "fail  ready: exit 1 before ready" in result.stdout


@pytest.mark.parametrize(
    ("content", "words", "said"),
    [
        (None, [], "cannot read"),
        ("no JSON", [], "is no JSON"),
        ('{"format": 2}', [], "is no document of format 1: make one by ./wl conform --write FILE"),
        ("[]", [], "is no document of format 1"),
        ("", ["--command", "/no/such/program"], "cannot start"),
    ],
)
def test_what_cannot_be_checked_is_exit_code_two(
    tmp_path: Path, written: str, content: str | None, words: list[str], said: str
) -> None:
    if content is None:
        Path(written).unlink()
    elif content:
        Path(written).write_text(content)
    result = carried(tmp_path, written, *words)
    assert result.returncode == 2
    assert said in result.stderr
    assert "Traceback" not in result.stderr
