"""Contenders of a run, with what their builds gave."""

from __future__ import annotations

from pydantic import Field

from wirelab.model.contender import Contender
from wirelab.model.units import Name, Strict, Text, Words


class Dependency(Strict):
    """A package a contender pulls in."""

    name: str
    version: str
    licence: str
    direct: bool
    local: bool = Field(
        default=False, description="pinned by version alone, and taken from a folder as its source"
    )


class Ownership(Strict):
    """Cost of owning a contender, as its builder read it."""

    install_bytes: int
    runtime_bytes: int | None = Field(
        default=None,
        description="bytes of the runtime as an image would have it; 0: a native program",
    )
    dependencies: list[Dependency]
    lines: int = Field(description="lines of the contender's own source that are not blank")
    worker_lines: int | None = Field(
        default=None, description="the same with the libraries of its suite that it is built on"
    )
    common_lines: int | None = Field(
        default=None,
        description="of these, those of the files that its manifest and the libraries' name as "
        "common; null: neither names any",
    )
    toolchain: dict[str, str] = Field(default={}, description="tool: version")


class Barred(Strict):
    """The reason why a contender has no part in a scenario that it could take part in elsewhere."""

    reason: Text
    remedy: Words = Text(en="")


class Participant(Strict):
    """A contender of the run with what its build gave."""

    manifest: Contender
    folder_hash: str
    unavailable: str = Field(default="", description="why it did not run; empty: it ran")
    remedy: str = Field(default="", description="the command that would make it run")
    barred: dict[Name, Barred] = Field(default={}, description="by scenario it has no part in")
    barred_variants: dict[Name, dict[Name, Barred]] = Field(
        default={}, description="by scenario: variants that it has no part in, of those it has one"
    )
    ownership: Ownership | None = None

    def why_without(self, scenario: str, variant: str) -> Barred | None:
        """The reason why it has no part in a variant that it could take part in elsewhere."""
        return self.barred.get(scenario) or self.barred_variants.get(scenario, {}).get(variant)

    def missing(self, language: str) -> tuple[str, str]:
        """The reason why it did not run, and what would make it run, in words of ``language``.

        The manifest's own word and that of a scenario are there in every language, what a build
        said is not.
        """
        for barred in self.barred.values():
            if barred.reason.en == self.unavailable:
                return barred.reason.of(language), barred.remedy.of(language)
        return self.manifest.unavailable.of(language) or self.unavailable, self.remedy
