"""Folders that nobody else has."""

from __future__ import annotations

from pathlib import Path

_MOST = 999


def new_folder(parent: Path, name: str) -> Path:
    """Make a folder of that name, numbered where there is one already.

    Raises FileExistsError where there are 999 of them.
    """
    for number in range(1, _MOST + 1):
        path = parent / (name if number == 1 else f"{name}-{number}")
        try:
            path.mkdir(parents=True)
        except FileExistsError:
            continue
        return path
    raise FileExistsError(f"{parent / name} and {_MOST - 1} more like it exist")
