"""``contender.toml`` and ``library.toml``: what is under test, and what it is built from."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from wirelab.model.builds import Build, RunCommand
from wirelab.model.parameters import Parameter
from wirelab.model.parts import Role
from wirelab.model.units import Name, Scalar, Size, Strict, Term, Wording, Words


def modes_of(mode: str) -> list[str]:
    """The modes of a suite that a declared one is made of; none of the common mode."""
    return mode.split(", ") if mode else []


_COMMON = (
    "files of the sources that connect and help, which a second program with the library would "
    "have as well: reports count their lines"
)


class LibraryInfo(Strict):
    """The library under test."""

    name: str
    version: str
    licence: str = Field(description="SPDX expression")
    homepage: str = ""


class Contender(Strict):
    """An implementation under test, with the library it uses."""

    contender: Name
    suite: Name | None = Field(
        default=None, description="the suite it belongs to, where its folder is in none"
    )
    title: Words = Field(description="names stay as they are in both languages")
    language: str
    library: LibraryInfo
    source: str = Field(
        default=".", description="folder with the sources, relative to the manifest"
    )
    common: list[str] = Field(default=[], description=_COMMON)
    roles: list[Name] = ["client"]
    scenarios: list[Name] = Field(default=[], description="empty: all of the suite")
    uses: list[Name] = Field(default=[], description="optional roles of the scenarios it needs")
    provided_by: dict[Name, str] = Field(
        default={},
        description="roles of the contender that a neutral service of the suite plays for it, "
        'such as server = "service:nats"',
    )
    reference: bool = Field(
        default=False,
        description="no choice for a user but a yardstick (such as a null server): never ranked",
    )
    capabilities: list[str] = []
    processors: int = Field(
        default=1,
        ge=1,
        description="that each role of its own needs: with fewer it would be something else",
    )
    process_memory: Size | None = Field(
        default=None,
        ge=1 << 20,
        description='memory of one process of its own, such as "54MiB": where a scenario starts '
        "many of them, all have to fit into the memory of the machine, and it is said beforehand "
        "what they take. Empty: nobody knows",
    )
    mode: str = Field(
        default="",
        description='modes of the suite, with ", " between them; unlike ones are never ranked '
        "together. Empty: the common mode",
    )
    unavailable: Wording = Field(description="why it cannot run anywhere yet; empty: it can")
    notes: Wording
    security: Wording = Field(description="how security is switched, for the operability section")
    build: Build
    run: RunCommand
    tuning: dict[str, Scalar] = Field(default={}, description="added to the parameters")
    parameters: dict[Term, Parameter] = Field(
        default={},
        # Read before a run is planned: what a run keeps is the values.
        exclude=True,
        description="those of its `[tuning]` that its suite does not declare",
    )

    @property
    def modes(self) -> list[str]:
        """The modes of the suite that its mode is made of."""
        return modes_of(self.mode)

    @property
    def own_parameters(self) -> set[str]:
        """Names of the parameters that it reads besides those of the scenarios."""
        return {*self.tuning, *self.parameters}

    def cast(self, roles: Mapping[str, Role]) -> dict[str, Role]:
        """The roles of its trials: optional ones if it uses them, and in the place of its own
        those services of the suite that play them for it.
        """
        return {
            name: self._played(name, role)
            for name, role in roles.items()
            if not role.optional or name in self.uses
        }

    def _played(self, name: str, role: Role) -> Role:
        provider = self.provided_by.get(name, "") if role.is_contenders else ""
        return role.model_copy(update={"provider": provider}) if provider else role


class Library(Strict):
    """A library of a suite that several parts are built on."""

    library: Name
    version: str
    licence: str
    source: str = Field(
        default=".", description="folder with the sources, relative to the manifest"
    )
    common: list[str] = Field(default=[], description=_COMMON)
    harness: bool = Field(
        default=False,
        description="contenders are measured with it: it is no dependency of theirs",
    )
    build: Build
