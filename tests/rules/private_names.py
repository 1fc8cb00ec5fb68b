"""Uses of our underscored names by tests.

Ours is what the core, the SDK, a suite or a contender defines. What a test file keeps for itself
(`self._held`), and what the standard library has (`os._exit`), is no business of this rule.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator

_BY_STRING = {"setattr", "getattr", "hasattr", "delattr", "attrgetter", "patch", "object"}
"""Functions that take an attribute's name as text: built in, of `monkeypatch`, of `mock.patch`."""

_OF_NAMED_TUPLES = {"_asdict", "_fields", "_make", "_replace"}
"""Public, for all their underscores: they keep out of the way of the fields."""


def defined_in(source: str) -> set[str]:
    """Private names that a module defines: functions, classes, variables and attributes."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(node.name)
            case ast.Name(ctx=ast.Store()):
                found.add(node.id)
            case ast.Attribute(ctx=ast.Store()):
                found.add(node.attr)
    return {name for name in found if is_private(name)}


def is_private(name: str) -> bool:
    underscored = name.startswith("_") and not name.startswith("__") and name != "_"
    return underscored and name not in _OF_NAMED_TUPLES


def reached_into(source: str, ours: set[str]) -> list[tuple[int, str]]:
    """Lines of a test file and the private names of ours that they reach into."""
    found: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import():
                names = _parts(alias.name for alias in node.names)
            case ast.ImportFrom(module=str(module)):
                own = module.partition(".")[0] not in sys.stdlib_module_names
                names = _parts([module, *(alias.name for alias in node.names)]) if own else []
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                names = []
            case ast.Attribute():
                names = [node.attr]
            case ast.Call() if _last_name(node.func) in _BY_STRING:
                names = _parts(_texts(node))
            case ast.Subscript(slice=ast.Constant(value=str(name))):
                names = [name]
            case _:
                names = []
        found += [(node.lineno, name) for name in names if is_private(name) and name in ours]
    return sorted(found)


def _parts(dotted: Iterable[str]) -> list[str]:
    return [part for name in dotted for part in name.split(".")]


def _texts(call: ast.Call) -> Iterator[str]:
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield argument.value


def _last_name(function: ast.expr) -> str:
    match function:
        case ast.Name():
            return function.id
        case ast.Attribute():
            return function.attr
        case _:
            return ""
