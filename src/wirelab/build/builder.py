"""The work that all builders share, and the job a builder is given."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from wirelab.build import settled
from wirelab.build.commands import Log
from wirelab.build.content import content_hash
from wirelab.build.part import Part
from wirelab.build.tools import FoundTool, Tool
from wirelab.build.unavailable import Unavailable
from wirelab.model.participant import Dependency

MANIFESTS = ("contender.toml", "library.toml", "README.md", "README.ko.md")
"""Files that describe a part and go into no build."""


@dataclass(frozen=True)
class BuiltLibrary:
    """A library that has been built: its part, and where it was installed."""

    part: Part
    output: Path
    key: str
    needs: tuple[BuiltLibrary, ...] = ()

    def prefixes(self) -> list[Path]:
        """Installation prefixes of the library and of everything below it."""
        return [self.output, *(path for need in self.needs for path in need.prefixes())]


@dataclass(frozen=True)
class Job:
    """One build: from ``part.source``, which is never written to, into ``output``.

    ``output`` is the final place, so a path that is built in stays true. ``work`` is a folder
    for what is not needed afterwards, and so is ``ours``, which nothing that is compiled can write
    to or see. ``cargo`` lends the target folder of all builds by cargo.
    ``downloads`` has what was fetched for this kind of build, and ``fetching`` is held to fetch.
    ``seen`` are other places that a link in what was built may lead to.
    """

    part: Part
    repository: Path
    output: Path
    work: Path
    ours: Path
    log: Log
    tools: Mapping[str, FoundTool]
    needs: Sequence[BuiltLibrary]
    cargo: Callable[[], AbstractContextManager[Path]]
    downloads: Path
    seen: Sequence[Path]
    fetching: Callable[[], AbstractContextManager[None]]

    @property
    def sdk(self) -> Path:
        """The folder with the SDK of every language."""
        return self.repository / "sdk"

    @property
    def jobs(self) -> int:
        """Number of compilers that may run at once."""
        return len(os.sched_getaffinity(0))

    def settle(self) -> None:
        """Look at what was compiled, before it is read; raises Unavailable."""
        prefixes = [path for need in self.needs for path in need.prefixes()]
        places = [self.part.source, self.part.room, self.sdk, self.downloads, *prefixes]
        places += self.seen
        settled.check(self.output, [place for place in places if place != Path()])

    def tool(self, name: str) -> str:
        """Path of a tool."""
        return str(self.tools[name].path)


class Builder(Protocol):
    """One kind of build. A further kind is one more module and its entry in ``kinds``."""

    sdk: str
    """Folder below ``sdk/`` that is compiled into a part; empty: none is."""

    def tools(self, part: Part) -> list[Tool]:
        """The tools it takes, with the versions the part asks for."""

    def lacking(self, part: Part) -> Unavailable | None:
        """Find an obstacle besides missing tools, as far as a look can tell."""

    def inputs(self, part: Part) -> str:
        """Hash of everything in the source folder that the output depends on."""

    def build(self, job: Job) -> None:
        """Fill ``job.output``; raises Unavailable when that fails.

        ``job.log.run`` fetches and runs no code of packages; ``job.log.compile`` does the rest.
        """

    def places(self, output: Path) -> dict[str, str]:
        """Placeholders of commands that this kind has its own value for."""

    def installed_bytes(self, output: Path) -> int:
        """Bytes of what has to be on a machine for the part to run, its runtime left out."""

    def dependencies(self, job: Job) -> list[Dependency]:
        """Packages in what was built, read after ``build``."""


class PlainBuilder:
    """The work that most kinds of build have in common."""

    sdk = ""

    def lacking(self, part: Part) -> Unavailable | None:  # noqa: ARG002
        """Nothing."""
        return None

    def inputs(self, part: Part) -> str:
        """Every source file counts."""
        return content_hash(part.source, without=MANIFESTS)

    def places(self, output: Path) -> dict[str, str]:  # noqa: ARG002
        """No placeholders of its own."""
        return {}
