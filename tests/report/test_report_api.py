"""The report of a suite is written with ``wirelab.report.api``, the standard library and itself."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from wirelab.report import api

SUITES = Path(__file__).parents[2] / "suites"
API = "wirelab.report.api"


def suites_with_reports() -> list[Path]:
    return sorted(path.parent for path in SUITES.glob("*/report.py"))


def modules_of(suite: Path) -> list[Path]:
    """``report.py`` and its chapters, by whatever depth."""
    return [suite / "report.py", *sorted((suite / "chapters").rglob("*.py"))]


def imports_of(source: str) -> Iterator[ast.Import | ast.ImportFrom]:
    """All of them, also those within functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node


def forbidden(source: str, depth: int) -> list[str]:
    """Imports of a module that is ``depth`` folders below its suite."""
    told = []
    for node in imports_of(source):
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif node.level:
            named = [] if node.level <= depth + 1 else ["." * node.level]
        else:
            named = [node.module or ""]
        told += [name for name in named if name != API and not _is_standard(name)]
    return told


def _is_standard(name: str) -> bool:
    top = name.partition(".")[0]
    return top in sys.stdlib_module_names and top != "importlib"


@pytest.mark.parametrize("suite", suites_with_reports(), ids=lambda path: path.name)
def test_a_report_imports_the_api_alone(suite: Path) -> None:
    modules = modules_of(suite)
    bad = {
        str(path.relative_to(suite)): told
        for path in modules
        if (told := forbidden(path.read_text("utf-8"), len(path.relative_to(suite).parts) - 1))
    }
    assert bad == {}
    assert any(
        isinstance(node, ast.ImportFrom) and node.module == API
        for path in modules
        for node in imports_of(path.read_text("utf-8"))
    )


def test_every_suite_of_the_tree_is_looked_at() -> None:
    folders = {path.parent for path in SUITES.glob("*/chapters/*.py")}
    assert len(suites_with_reports()) >= 5
    assert {path.parent for path in folders} <= {*suites_with_reports()}


@pytest.mark.parametrize(
    ("source", "depth", "expected"),
    [
        ("from wirelab.report.api import Context", 0, []),
        ("import re\nfrom dataclasses import replace", 0, []),
        ("from .chapters import glance", 0, []),
        ("from .cells import by_mode\nfrom .. import report", 1, []),
        ("from wirelab.report.context import Context", 0, ["wirelab.report.context"]),
        ("from wirelab.report import steps", 0, ["wirelab.report"]),
        ("import wirelab.report.api.claims", 0, ["wirelab.report.api.claims"]),
        ("def late():\n    import numpy", 0, ["numpy"]),
        ("from .. import kv", 0, [".."]),
        ("import importlib", 0, ["importlib"]),
    ],
)
def test_what_may_be_imported(source: str, depth: int, expected: list[str]) -> None:
    assert forbidden(source, depth) == expected


def test_the_api_holds_nothing_that_no_suite_needs() -> None:
    used = {
        alias.name
        for suite in suites_with_reports()
        for path in modules_of(suite)
        for node in imports_of(path.read_text("utf-8"))
        if isinstance(node, ast.ImportFrom) and node.module == API
        for alias in node.names
    }
    assert used == {*api.__all__}
