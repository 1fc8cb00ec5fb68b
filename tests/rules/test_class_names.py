"""A class of the core is known by its name: no other has the same one."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import wirelab

CORE = Path(wirelab.__file__).parent


def test_class_names_are_unique() -> None:
    names = Counter(
        node.name
        for file in CORE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert len(names) > 100
    assert [name for name, count in names.items() if count > 1] == []
