"""Docstrings, and the openings of those that are relative clauses.

A word such as "those" or "so many" refers to something that a docstring has not named yet, and a
clause behind it ("all that …", "by what …") says what the reader is to guess the name of.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

_ASKING = "who|whom|whose|what|which|where|when|why|how|whoever|whatever|whichever|wherever"
_CLAUSE = f"(?:{_ASKING}|whenever|however)"
_BEFORE = (
    "about|above|after|at|before|behind|below|beside|between|beyond|by|during|for|from|in|into|of"
    "|on|since|through|to|under|until|with|within|without"
)
"""Prepositions that a clause may follow."""

_OPENING = re.compile(
    r"(?:``[^`]+``:\s*)?[\"'(\s]*"
    rf"(?:of|that|those|{_CLAUSE}|so (?:far|few|little|long|many|much|often)"
    rf"|(?:{_BEFORE})\s+(?:those|{_CLAUSE})"
    rf"|(?:all|any|none|one|only)\s+(?:of those|that|{_CLAUSE}))\b",
    re.IGNORECASE,
)


def docstrings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and text of docstrings, those below an assignment included."""
    for node in ast.walk(tree):
        for part in ("body", "orelse", "finalbody"):
            body = getattr(node, part, None)
            for statement in body if isinstance(body, list) else ():
                if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                    text = statement.value.value
                    if isinstance(text, str) and text.strip():
                        yield statement.lineno, text


def is_relative(text: str) -> bool:
    """Whether a docstring begins with a relative clause, be it behind a name and a colon."""
    return _OPENING.match(text) is not None
