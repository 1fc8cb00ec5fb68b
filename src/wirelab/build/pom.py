"""The POM of a Java part: its own, or one written from what manifests declare."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from wirelab.build.part import Part
from wirelab.build.source_text import text_of
from wirelab.build.templates import template
from wirelab.build.unavailable import Unavailable
from wirelab.model.builds import JAVA_PACKAGES

_SOURCES = Path("src", "main", "java")
_RESOURCES = Path("src", "main", "resources")


class _Coordinates(NamedTuple):
    """A package of a Maven repository; a version that is empty comes from a BOM."""

    group: str
    artifact: str
    version: str = ""
    classifier: str = ""

    @property
    def package(self) -> tuple[str, str, str]:
        """The coordinates by which a POM may name a package once."""
        return self.group, self.artifact, self.classifier


def pom_of(part: Part) -> str:
    """The text of its POM.

    One that lies beside the sources is taken as it is. Raises Unavailable where the manifest
    declares packages as well and such a POM is no copy of the one written from them: one of the
    two would be read by nobody.
    """
    own = part.source / "pom.xml"
    text = text_of(own)
    if text is None:
        return _written(part)
    declared = [name for name in JAVA_PACKAGES if getattr(part.build, name)]
    if declared and text != _written(part):
        raise Unavailable(
            f"{own} is used as it is, and [build] names {', '.join(declared)} as well",
            "remove the one or the other",
        )
    return text


def _written(part: Part) -> str:
    """A POM of what the manifest and those of the sources it needs declare.

    It says the same in every clone: no absolute path, no name of the part.
    """
    shared = [need for need in part.needs() if need.build.kind == "none"]
    builds = [part.build, *(need.build for need in shared)]
    return template("pom.xml.j2").render(
        dependencies=_packages(text for build in builds for text in build.dependencies),
        boms=_packages(text for build in builds for text in build.boms),
        constraints=_packages(text for build in builds for text in build.constraints),
        exclusions=_packages(text for build in builds for text in build.exclusions),
        shared=_folders(part, shared, _SOURCES),
        resources=_folders(part, shared, _RESOURCES),
    )


def _folders(part: Part, shared: Iterable[Part], inner: Path) -> list[str]:
    """The folders of that name that libraries have, as they are called from the suite."""
    folders = [need.source / inner for need in shared]
    return [os.path.relpath(folder, part.room) for folder in folders if folder.is_dir()]


def _packages(texts: Iterable[str]) -> list[_Coordinates]:
    """Each package once, with the version of who names it first: the part before its libraries."""
    found: dict[tuple[str, str, str], _Coordinates] = {}
    for text in texts:
        coordinates = _Coordinates(*text.split(":"))
        found.setdefault(coordinates.package, coordinates)
    return list(found.values())
