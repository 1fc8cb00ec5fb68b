"""Honest contenders with another worker, which cheats in a way that it is told."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from pathlib import Path

from e2e.whole_runs import REPOSITORY


def remade(folder: Path, suite: str, honest: str, files: Collection[str], *, way: str = "") -> Path:
    """The contender in ``folder``, which is named like it: the honest one of the suite, with the
    first of ``files``, below ``tests/sabotage``, in place of its worker.
    """
    shutil.copytree(REPOSITORY / "suites" / suite / "contenders" / honest, folder)
    for file in files:
        shutil.copy(REPOSITORY / "tests" / "sabotage" / file, folder)
    manifest = folder / "contender.toml"
    said = manifest.read_text("utf-8")
    said = said.replace(f'contender = "{honest}"', f'contender = "{folder.name}"', 1)
    command = f"{{source}}/{Path(next(iter(files))).name}" + (f'", "{way}' if way else "")
    manifest.write_text(said.replace("{source}/worker.py", command), "utf-8")
    return folder
