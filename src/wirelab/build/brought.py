"""Folders that a user brings from outside of the tree, such as headers that no package has."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from wirelab.build.content import content_hash
from wirelab.build.part import Part
from wirelab.build.unavailable import Unavailable

_DIGITS = 12


def with_brought(part: Part) -> Part:
    """The part with options for CMake that name each folder and its content.

    Raises Unavailable for a folder that is not there.
    """
    options = [
        option
        for variable, folder in _folders(part).items()
        for option in (
            f"-D{variable}={folder}",
            f"-D{variable}_CONTENT={content_hash(folder)[:_DIGITS]}",
        )
    ]
    if not options:
        return part
    build = part.build.model_copy(update={"options": [*part.build.options, *options]})
    return replace(part, build=build)


def brought_folders(part: Part) -> list[Path]:
    """The folders; raises Unavailable for one that is not there."""
    return list(_folders(part).values())


def lacking_folder(part: Part) -> Unavailable | None:
    """The first folder that is not there."""
    try:
        _folders(part)
    except Unavailable as missing:
        return missing
    return None


def _folders(part: Part) -> dict[str, Path]:
    return {variable: _folder(variable, file) for variable, file in part.build.brought.items()}


def _folder(variable: str, file: str) -> Path:
    named = os.environ.get(variable, "")
    folder = Path(named).absolute()
    if named and (folder / file).is_file():
        return folder
    why = f"it names {named}" if named else "it is not set"
    raise Unavailable(
        f"the variable {variable} names no folder outside of the clone that has {file}: {why}",
        f"export {variable}=FOLDER, where FOLDER has {file}",
    )
