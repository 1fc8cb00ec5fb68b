"""Python sources of participants, compiled before the first trial.

A role in a sandbox cannot write beside its sources. Without this, Python would compile each module
anew in every trial, and how long a contender takes to start would depend on whether it had ever
run without a sandbox. Done for all runs alike.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import subprocess
from collections.abc import Iterable
from pathlib import Path

from wirelab.build import Built
from wirelab.build.content import files_below
from wirelab.conform.environment import inherited

_NOT_SOURCES = r"/(node_modules|target|\.venv)/"
_LONGEST_S = 120
"""Time that compiling may take; what is not compiled by then is compiled in each trial."""

_MOST_BYTES = 1 << 30
"""Memory for it: a compiler takes a hundred times the size of a source, and a source of ours some
kilobytes."""

_COMPILE = f"""
import resource, runpy
resource.setrlimit(resource.RLIMIT_AS, ({_MOST_BYTES}, {_MOST_BYTES}))
runpy.run_module("compileall", run_name="__main__", alter_sys=True)
"""


def compile_sources(participants: Iterable[Built]) -> None:
    """Compile what Python participants import from their sources, where it is not yet.

    Packages were compiled when they were installed. A folder that cannot be written to, a file that
    is no Python or too much of it, and a folder in which a file is none of its own, stay as they
    are: the worker itself says then what is wrong.
    """
    folders: dict[Path, set[Path]] = {}
    for built in participants:
        if imported := built.variables.get("PYTHONPATH"):
            interpreter = Path(built.places["python"]).resolve()
            places = {built.part.source, *map(Path, imported.split(os.pathsep))}
            sources = {
                path
                for path in places
                if not path.is_relative_to(built.output.parent) and _is_plain(path)
            }
            folders.setdefault(interpreter, set()).update(sources)
    for interpreter, wanted in folders.items():
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(
                [interpreter, "-I", "-c", _COMPILE, "-qq", "-x", _NOT_SOURCES, *sorted(wanted)],
                env=inherited(os.environ),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_LONGEST_S,
                check=False,
            )


def _is_plain(folder: Path) -> bool:
    """Whether a compiler would wait for nothing in a folder, and read and write nothing elsewhere
    by it: this one runs with all rights of the user.
    """
    for file in files_below(folder):
        if file.suffix not in (".py", ".pyc") or re.search(_NOT_SOURCES, str(file)):
            continue
        if not stat.S_ISREG(file.lstat().st_mode) or (file.parent / "__pycache__").is_symlink():
            return False
    return True
