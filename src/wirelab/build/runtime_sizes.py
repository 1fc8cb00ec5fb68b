"""Size of the runtime that a contender needs, as an image for it would have it.

That is the runtime's own files and the shared libraries that its program loads, without what
serves development alone.
"""

from __future__ import annotations

import functools
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from wirelab.build.interpreter import Interpreter
from wirelab.build.tools import FoundTool

_LOADED = re.compile(r"=> (/\S+) \(|^\s+(/\S+) \(", re.MULTILINE)
"""Lines of ldd: a library with its path, and the loader."""

_ANSWER_LIMIT_S = 20

_DEVELOPMENT = {
    "java": {"jmods", "include", "demo", "man", "src.zip", "ct.sym"},
    "python": {"__pycache__", "test", "tests", "site-packages", "dist-packages", "idlelib"},
}
"""Names of folders and files that no image needs, wherever they are in the runtime. Modules that
Python has compiled come again with its first start."""


def of_command(command: str, python: Interpreter, found: Mapping[str, FoundTool]) -> int:
    """Bytes of the runtimes that a manifest's command names; 0 where it is a program itself."""
    sizes = {"java": _of_java, "node": _of_node, "dotnet": _of_dotnet}
    named = [name for name in sizes if f"{{{name}}}" in command and name in found]
    whole = sum(sizes[name](found[name].path) for name in named)
    return whole + (_of_python(python) if "{python}" in command else 0)


@functools.cache
def _of_java(program: Path) -> int:
    """The folder of a JDK, as far as a JRE has it."""
    real = program.resolve()
    return _bytes([*_files(real.parents[1], _DEVELOPMENT["java"]), *_loaded(real)])


@functools.cache
def _of_node(program: Path) -> int:
    """The program of Node.js, and its libraries."""
    real = program.resolve()
    return _bytes([real, *_loaded(real)])


@functools.cache
def _of_dotnet(program: Path) -> int:
    """The host of .NET and its shared frameworks, without the SDK."""
    real = program.resolve()
    parts = [real.parent / name for name in ("host", "shared")]
    return _bytes([real, *(file for part in parts for file in _files(part, set()))])


@functools.cache
def _of_python(interpreter: Interpreter) -> int:
    """An interpreter and its standard library, without packages and tests."""
    real = Path(interpreter.path).resolve()
    library = real.parents[1] / Path(interpreter.packages).parent
    return _bytes([real, *_files(library, _DEVELOPMENT["python"]), *_loaded(real)])


def _files(folder: Path, without: set[str]) -> Iterator[Path]:
    if not folder.is_dir():
        return
    for entry in folder.iterdir():
        if entry.name in without:
            continue
        if entry.is_dir() and not entry.is_symlink():
            yield from _files(entry, without)
        else:
            yield entry


def _loaded(program: Path) -> list[Path]:
    """The shared libraries that a program of the machine's own loads."""
    try:
        answer = subprocess.run(
            ["ldd", str(program)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_ANSWER_LIMIT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return [Path(one or other) for one, other in _LOADED.findall(answer.stdout)]


def _bytes(files: Iterable[Path]) -> int:
    """Their bytes, a file once, whatever names it has."""
    sizes = {}
    for file in files:
        real = file.resolve()
        if real.is_file():
            sizes[real] = real.stat().st_size
    return sum(sizes.values())
