"""Messages that a user can meet, collected from Python code: errors, refusals, printed lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from code_texts import PROSE

SAID_BY = frozenset(
    {"Problem", "Unavailable", "BadParameter", "Obstacle", "say", "_say", "echo", "_warn"}
)
"""Calls whose text is shown to users, beside those of errors."""
OF_PROGRAMS = frozenset({"AssertionError", "NotImplementedError", "TypeError"})
"""Errors that no user meets: mistakes in the program itself."""


def messages(file: Path) -> Iterator[str]:
    """Texts of a file that are said to a user, with ``{…}`` for what is filled in."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Call) and _is_said(_name(node.func)):
            for argument in (*node.args, *(word.value for word in node.keywords)):
                text = _template(argument)
                if " " in text.strip():
                    yield text


def sentences(file: Path) -> Iterator[str]:
    """All texts in words of a file, wherever they stand: findings, say, are yielded."""
    parsed = ast.parse(file.read_text("utf-8"))
    passed = {id(node.value) for node in ast.walk(parsed) if isinstance(node, ast.Expr)}
    for node in ast.walk(parsed):
        if isinstance(node, ast.JoinedStr):
            passed.update(id(part) for part in ast.walk(node) if part is not node)
    for node in ast.walk(parsed):
        if isinstance(node, ast.JoinedStr | ast.Constant) and id(node) not in passed:
            text = _template(node)
            if PROSE.search(text):
                yield text


def _is_said(name: str) -> bool:
    return (name.endswith("Error") and name not in OF_PROGRAMS) or name in SAID_BY


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _template(node: ast.expr) -> str:
    match node:
        case ast.Constant(str() as text):
            return text
        case ast.JoinedStr(parts):
            return "".join(map(_template, parts))
        case ast.FormattedValue(ast.Name() | ast.Attribute() as value):
            return "{" + ast.unparse(value) + "}"
        case ast.FormattedValue():
            return "{…}"
        case ast.BinOp(left, ast.Add(), right):
            return _template(left) + _template(right)
        case ast.IfExp(_test, body, other):
            return f"{_template(body)} | {_template(other)}"
    return ""
