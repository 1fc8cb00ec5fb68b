"""Python sources of participants, compiled before the first trial.

A role in a sandbox cannot write beside its sources. Without this, Python would compile each module
anew in every trial, and how long a contender takes to start would depend on whether it had ever
run without a sandbox. Done for all runs alike.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from wirelab.build import Built
from wirelab.conform.environment import inherited

_NOT_SOURCES = r"/(node_modules|target|\.venv)/"


def compile_sources(participants: Iterable[Built]) -> None:
    """Compile what Python participants import from their sources, where it is not yet.

    Packages were compiled when they were installed. A folder that cannot be written to, or a file
    that is no Python, stays as it is: the worker itself says then what is wrong.
    """
    folders: dict[Path, set[Path]] = {}
    for built in participants:
        if imported := built.variables.get("PYTHONPATH"):
            interpreter = Path(built.places["python"]).resolve()
            places = {built.part.source, *map(Path, imported.split(os.pathsep))}
            sources = {path for path in places if not path.is_relative_to(built.output.parent)}
            folders.setdefault(interpreter, set()).update(sources)
    for interpreter, wanted in folders.items():
        subprocess.run(
            [interpreter, "-m", "compileall", "-qq", "-x", _NOT_SOURCES, *sorted(wanted)],
            env=inherited(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
