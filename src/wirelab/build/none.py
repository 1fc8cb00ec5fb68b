"""Nothing to build: the command runs from the source folder."""

from __future__ import annotations

from pathlib import Path

from wirelab.build.builder import Job, PlainBuilder
from wirelab.build.part import Part
from wirelab.build.tools import Tool
from wirelab.model.participant import Dependency


class NoBuild(PlainBuilder):
    """For parts that run as they are."""

    def tools(self, part: Part) -> list[Tool]:  # noqa: ARG002
        """None."""
        return []

    def build(self, job: Job) -> None:
        """Nothing is done."""

    def installed_bytes(self, output: Path) -> int:  # noqa: ARG002
        """Nothing is installed."""
        return 0

    def dependencies(self, job: Job) -> list[Dependency]:  # noqa: ARG002
        """None."""
        return []
