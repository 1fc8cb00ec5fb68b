"""The project of a part in C#: its own, or one written from what its manifest declares."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from wirelab.build.part import Part
from wirelab.build.source_text import text_of
from wirelab.build.templates import template
from wirelab.build.unavailable import Unavailable

WRITTEN = "app.csproj"
"""The name of a project that is written."""

_SHARED = "src"


class Project(NamedTuple):
    """The file name and the text of a project."""

    name: str
    text: str


class _Package(NamedTuple):
    """A package of NuGet in exactly one version."""

    id: str
    version: str


def project_of(part: Part) -> Project:
    """The project of a part; one that lies beside the sources is taken as it is.

    Raises Unavailable where there are several, or where the manifest declares packages or
    frameworks as well and such a project is no copy of the one written from them.
    """
    own = sorted(part.source.glob("*.csproj"))
    if not own:
        return Project(WRITTEN, _written(part))
    if len(own) > 1:
        names = ", ".join(file.name for file in own)
        raise Unavailable(f"{part.source} has several projects: {names}", "leave one of them")
    text = text_of(own[0]) or ""
    said = [key for key in ("dependencies", "frameworks") if getattr(part.build, key)]
    if said and text != _written(part):
        raise Unavailable(
            f"{own[0]} is used as it is, and [build] names {' and '.join(said)} as well",
            "remove the one or the other",
        )
    return Project(own[0].name, text)


def is_written(project: Project, part: Part) -> bool:
    """Whether a project is the one written from the manifest, or a copy of it."""
    return project.text == _written(part)


def shared_folders(part: Part) -> list[Path]:
    """Folders with sources of the suite that are compiled into a part."""
    folders = [need.source / _SHARED for need in part.needs() if need.build.kind == "none"]
    return [folder for folder in folders if folder.is_dir()]


def _written(part: Part) -> str:
    """A project that says the same in every clone: no absolute path, no name of the part."""
    return template("app.csproj.j2").render(
        dependencies=[_Package(*text.split(":")) for text in part.build.dependencies],
        frameworks=part.build.frameworks,
        shared=[os.path.relpath(folder, part.room) for folder in shared_folders(part)],
    )
