"""The code of a kind of build, as part of what decides its result."""

from __future__ import annotations

import ast
import functools
import hashlib
from importlib.util import find_spec
from pathlib import Path

_PACKAGE = "wirelab.build"


@functools.cache
def recipe_hash(module: str) -> str:
    """SHA-256 over the source of a module of this package and of all that it imports from it."""
    sources: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in sources:
            sources[name] = _source(name)
            waiting += _imported(sources[name])
    digest = hashlib.sha256()
    for name, source in sorted(sources.items()):
        digest.update(f"{name}\0{len(source)}\0".encode() + source)
    return digest.hexdigest()


def _source(module: str) -> bytes:
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).read_bytes()


def _imported(source: bytes) -> list[str]:
    """Modules of this package that a source imports, by ``from wirelab.build… import …``."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            if node.module == _PACKAGE:
                found += [f"{_PACKAGE}.{alias.name}" for alias in node.names]
            elif node.module.startswith(f"{_PACKAGE}."):
                found.append(node.module)
    return found
