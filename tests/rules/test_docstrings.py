"""A docstring says what a thing is or does: a noun phrase or a verb, no relative clause."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RELATIVE = frozenset({"Of", "That", "Which", "Whose", "Who", "What", "Where", "How"})


def docstrings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and text of docstrings, those below an assignment included."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                text = statement.value.value
                if isinstance(text, str) and text.strip():
                    yield statement.lineno, text


@pytest.mark.parametrize(
    ("folder", "at_least"), [("src", 2000), ("sdk", 150), ("suites", 500), ("tests", 1500)]
)
def test_no_docstring_is_a_relative_clause(folder: str, at_least: int) -> None:
    found = [
        (f"{path.relative_to(ROOT)}:{line}", text)
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line, text in docstrings(ast.parse(path.read_text("utf-8")))
    ]
    assert len(found) > at_least
    assert [place for place, text in found if text.split()[0] in RELATIVE] == []
