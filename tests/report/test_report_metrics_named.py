"""Columns of reports name metrics of the catalogue, or of the suite whose report it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import wirelab
from wirelab.manifest import load_suite
from wirelab.metrics.catalogue import CORE

REPORT = Path(wirelab.__file__).parent / "report"
SUITES = Path(__file__).parents[2] / "suites"
FOLDERS = {"core": REPORT, **{file.parent.name: file.parent for file in SUITES.glob("*/report.py")}}


def columns(folder: Path) -> Iterator[str]:
    """The metrics that columns of a folder are made of, where they are written out."""
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("FigureColumn"):
                metric = node.args[0] if node.args else None
                if isinstance(metric, ast.Constant) and isinstance(metric.value, str):
                    yield metric.value


@pytest.mark.parametrize("name", FOLDERS)
def test_a_column_is_of_a_metric_that_there_is(name: str) -> None:
    manifest = FOLDERS[name] / "suite.toml"
    own = load_suite(manifest).metrics if manifest.is_file() else {}
    catalogue = CORE.with_own(own)
    found = list(columns(FOLDERS[name]))
    assert found
    assert [metric for metric in found if catalogue.named(metric) is None] == []
