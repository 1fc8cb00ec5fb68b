"""Builds and commands of the parts of a suite, as manifests say them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from wirelab.model.events import CONTRACT
from wirelab.model.units import Name, Size, Strict, Text, Words

_LONGEST = 255
_PACKAGE = r"[a-z0-9][a-z0-9+.-]*[a-z0-9+.]"

BuildKind = Literal["python", "maven", "cmake", "cargo", "npm", "go", "dotnet", "none", "engine"]
"""``engine`` is wirelab's own, from ``crates/engine``; everything else is in the folder itself."""


DebianPackage = Annotated[
    str, StringConstraints(pattern=rf"^{_PACKAGE}(\|{_PACKAGE})*$", max_length=64)
]
"""A name as Debian's policy has it, or several to choose from.

None ends with a dash: apt-get removes what such a name names.
"""

_GROUP = r"[A-Za-z0-9_][A-Za-z0-9_.-]*"
_VERSION = r"[A-Za-z0-9_][A-Za-z0-9_.+-]*"

Exclusion = Annotated[str, StringConstraints(pattern=rf"^{_GROUP}:{_GROUP}$", max_length=_LONGEST)]
"""A Java package of any version: ``group:artifact``."""

Versioned = Annotated[
    str, StringConstraints(pattern=rf"^{_GROUP}:{_GROUP}:{_VERSION}$", max_length=_LONGEST)
]
"""A Java package: ``group:artifact:version``."""

Coordinates = Annotated[
    str,
    StringConstraints(
        pattern=rf"^{_GROUP}:{_GROUP}(:{_VERSION}(:{_VERSION})?)?$", max_length=_LONGEST
    ),
]
"""A Java package, ``group:artifact:version:classifier``, or one of .NET, ``id:version``.

Most of Java have no classifier; their version is left out where a BOM gives it.
"""

Pinned = Literal["hash", "version"]
"""Means by which a package is known: the hash of its content in a lock file, or its version alone.
"""

Framework = Annotated[str, StringConstraints(pattern=rf"^{_GROUP}$", max_length=_LONGEST)]
"""A shared framework of .NET, by its name alone: the SDK brings one version of it."""

Variable = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=255)]
"""The name of an environment variable."""

Passed = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")]
"""A text that can be handed to a process."""


JAVA_PACKAGES = ("dependencies", "boms", "constraints", "exclusions")
"""Keys of a build that a POM is written from; the first of them serves a project of .NET too."""

DISCLOSED = ("pinned", "pinned_because")
"""Keys of a build that are told, and that no builder but that of .NET knows."""


BROUGHT = ("brought",)
"""Keys of a build that become options for CMake before it is built."""


class Build(Strict):
    """The way from a folder to something that can be started."""

    kind: BuildKind
    needs: list[Name] = Field(
        default=[],
        description="libraries of the suite (libraries/<name>) to build first; of kind none: "
        "sources that it is compiled or runs with",
    )
    crates: bool = Field(
        default=False,
        description="cmake: fetch the sources pinned by Cargo.lock and pass their folder "
        "as WIRELAB_CRATES",
    )
    dependencies: list[Coordinates] = Field(
        default=[],
        description="maven: Java packages that it uses, for the POM that is written where none "
        "lies beside the sources; of sources (kind none) that such a build needs: theirs; "
        "dotnet: packages of NuGet, id:version",
    )
    frameworks: list[Framework] = Field(
        default=[],
        description="dotnet: shared frameworks of the SDK that it uses beside the runtime's own, "
        "such as Microsoft.AspNetCore.App",
    )
    boms: list[Versioned] = Field(
        default=[], description="maven: BOMs that give dependencies their versions"
    )
    constraints: list[Versioned] = Field(
        default=[], description="maven: versions for packages that dependencies bring along"
    )
    exclusions: list[Exclusion] = Field(
        default=[], description="maven: packages that no dependency brings along"
    )
    pinned: Pinned = Field(
        default="hash",
        description="dotnet: version, where the hashes of packages cannot be known beforehand; the "
        "first restore on a machine writes them down, and later ones are held to them",
    )
    pinned_because: Words = Field(
        default=Text(en=""), description="why packages are pinned by version alone"
    )
    options: list[str] = Field(default=[], description="more arguments of the build tool")
    brought: dict[Variable, str] = Field(
        default={},
        description="cmake: folders that the user brings from outside of the tree: the environment "
        "variable that names one, and a file that it has. CMake is given an option of that name, "
        "and NAME_CONTENT, a hash of what is in the folder",
    )
    debian: list[DebianPackage] = Field(
        default=[],
        description="Debian packages the build or run needs; a|b is the first that there is",
    )


class Within(Strict):
    """Other words of a command for a role that is given little memory."""

    memory: Size = Field(description="where a variant gives the role so much, or less")
    words: dict[Passed, Passed] = Field(
        min_length=1, description="words of the command, each with the one in its place"
    )


class RunCommand(Strict):
    """The command of a worker.

    Placeholders, also in the environment: ``{source}`` the folder of the sources, ``{build}``
    the build's output, ``{suite}`` the suite's folder, ``{python}`` ``{java}`` ``{node}``
    ``{dotnet}`` the runtimes, ``{sdk}`` the folder ``sdk/``, ``{role}`` (commands only) the role
    to fill.
    """

    command: list[Passed] = Field(min_length=1)
    environment: dict[Variable, Passed] = {}
    within: list[Within] = Field(
        default=[],
        description="other words for roles whose memory a variant limits: of programs that have to "
        "be told how large they may grow",
    )
    contract: Literal[1, 2] = Field(
        default=CONTRACT,
        description="version of the worker contract that it speaks; only runs that were stored "
        "before have 1",
    )

    def within_memory(self, limit: int | None) -> list[str]:
        """The command for a role that may have so much memory; None: a variant limits none."""
        fits = [one for one in self.within if limit is not None and limit <= one.memory]
        words = min(fits, key=lambda one: one.memory).words if fits else {}
        return [words.get(word, word) for word in self.command]
