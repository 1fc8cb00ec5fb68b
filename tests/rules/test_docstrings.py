"""A docstring says what a thing is or does: a noun phrase or a verb, no relative clause."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from relative_clauses import docstrings, is_relative

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("folder", "at_least"),
    [("src", 2000), ("sdk", 150), ("suites", 500), ("tests", 1500), ("bench", 5)],
)
def test_no_docstring_is_a_relative_clause(folder: str, at_least: int) -> None:
    found = [
        (f"{path.relative_to(ROOT)}:{line}", text)
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line, text in docstrings(ast.parse(path.read_text("utf-8")))
    ]
    assert len(found) > at_least
    assert [place for place, text in found if is_relative(text)] == []
