"""Coordinates of jars, and their licences by way of their POMs."""

from __future__ import annotations

import io
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from xml.etree import ElementTree

from wirelab.build.licences import UNKNOWN, licence_of_names, licence_of_text
from wirelab.model.participant import Dependency

_MAX_PARENTS = 10
_MOST_MEMBER_BYTES = 4 << 20
_UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError),
    *(RuntimeError, NotImplementedError, OSError, ValueError, struct.error),
)
"""Errors of zipfile for what is no jar, is encrypted, or is packed as no other can read it."""

_VERSIONED = re.compile(r"(?P<artifact>.+?)-(?P<version>\d.*)")


@dataclass(frozen=True)
class Pom:
    """A POM as far as it matters here; properties are not resolved."""

    root: ElementTree.Element

    def text(self, *path: str) -> str:
        """Text of an element by the names on the way to it; empty when there is none."""
        found = self.root.find("/".join(f"{{*}}{name}" for name in path))
        return (found.text or "").strip() if found is not None else ""

    def licences(self) -> list[str]:
        """Names of its licences."""
        return [
            (name.text or "").strip()
            for name in self.root.findall("{*}licenses/{*}license/{*}name")
        ]

    def dependencies(self) -> set[str]:
        """Artifacts that it depends on itself."""
        found = self.root.findall("{*}dependencies/{*}dependency/{*}artifactId")
        return {(artifact.text or "").strip() for artifact in found}

    @property
    def coordinates(self) -> tuple[str, str, str]:
        """Group, artifact and version, the parent's where it has none of its own."""
        group = self.text("groupId") or self.text("parent", "groupId")
        version = self.text("version") or self.text("parent", "version")
        return group, self.text("artifactId"), version

    @property
    def parent(self) -> tuple[str, str, str] | None:
        """Coordinates of its parent."""
        named = tuple(self.text("parent", n) for n in ("groupId", "artifactId", "version"))
        return (named[0], named[1], named[2]) if all(named) else None


def read_pom(content: bytes) -> Pom | None:
    """The POM in ``content``; None when it is not XML."""
    try:
        return Pom(ElementTree.parse(io.BytesIO(content)).getroot())
    except (ElementTree.ParseError, LookupError, ValueError):  # of an encoding that is none
        return None


def _member(path: Path, wanted: Callable[[str], bool]) -> bytes | None:
    """The first file of a jar with a ``wanted`` name, no more of it than any is long: some are
    packed to be without an end. None also where the jar is none, or cannot be unpacked.
    """
    try:
        with zipfile.ZipFile(path) as jar:
            name = next(filter(wanted, jar.namelist()), None)
            if name is None:
                return None
            with jar.open(name) as file:
                return file.read(_MOST_MEMBER_BYTES)
    except _UNREADABLE:
        return None


@dataclass(frozen=True)
class Jar:
    """A jar whose file is called ``artifact-version.jar``."""

    path: Path
    repository: Path

    @cached_property
    def _named(self) -> tuple[str, str]:
        found = _VERSIONED.fullmatch(self.path.stem)
        return (found["artifact"], found["version"]) if found else (self.path.stem, "")

    @property
    def artifact(self) -> str:
        """Its artifact."""
        return self._named[0]

    @property
    def version(self) -> str:
        """Its version; a classifier in the file's name is no part of it."""
        stated = self.pom.coordinates[2] if self.pom else ""
        return stated if stated and self._named[1].startswith(stated) else self._named[1]

    @cached_property
    def pom(self) -> Pom | None:
        """Its POM: from the jar, else from the local repository."""
        end = f"/{self.artifact}/pom.xml"
        if (content := _member(self.path, lambda name: name.endswith(end))) is not None:
            return read_pom(content)
        artifact, version = self._named
        name = f"{artifact}/{version}/{artifact}-{version}.pom"
        found = next(iter(self.repository.glob(f"**/{name}")), None)
        return read_pom(found.read_bytes()) if found else None

    @property
    def name(self) -> str:
        """``group:artifact``, or the artifact where the group is not known."""
        group = self.pom.coordinates[0] if self.pom else ""
        return f"{group}:{self.artifact}" if group else self.artifact

    @property
    def licence(self) -> str:
        """From its POM or the nearest parent that names one, else from its manifest."""
        for pom in self._ancestry():
            if names := pom.licences():
                return licence_of_names(names)
        return self._bundled_licence()

    def _ancestry(self) -> Iterator[Pom]:
        pom = self.pom
        for _ in range(_MAX_PARENTS):
            if pom is None:
                return
            yield pom
            pom = self._stored(pom.parent) if pom.parent else None

    def _stored(self, coordinates: tuple[str, str, str]) -> Pom | None:
        group, artifact, version = coordinates
        folder = self.repository.joinpath(*group.split("."), artifact, version)
        file = folder / f"{artifact}-{version}.pom"
        return read_pom(file.read_bytes()) if file.is_file() else None

    def _bundled_licence(self) -> str:
        content = _member(self.path, "META-INF/MANIFEST.MF".__eq__)
        if content is None:
            return UNKNOWN
        manifest = content.decode("utf-8", "replace")
        # A long value goes on in the next line after one space.
        unfolded = re.sub(r"\r?\n ", "", manifest)
        found = re.search(r"^Bundle-License:\s*(.+?)\s*$", unfolded, re.MULTILINE)
        return licence_of_text(found[1]) if found else UNKNOWN


def dependencies_of(library: Path, pom: str, repository: Path) -> list[Dependency]:
    """Every jar of a folder; those that the POM with the text ``pom`` names itself are direct."""
    own = read_pom(pom.encode())
    direct = own.dependencies() if own else set()
    return [
        Dependency(
            name=jar.name,
            version=jar.version,
            licence=jar.licence,
            direct=jar.artifact in direct,
        )
        for jar in (Jar(path, repository) for path in sorted(library.glob("*.jar")))
    ]
