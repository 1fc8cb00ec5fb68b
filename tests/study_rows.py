"""Rows of the pages of studies: their commands, and the sections of a report that answer them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

STUDIES = Path(__file__).parents[1] / "docs" / "studies"

_LANGUAGES = ("en", "ko")


class StudyRow(NamedTuple):
    """A row of a study, with the command that repeats it."""

    row: str
    command: str
    sections: str

    @property
    def scenarios(self) -> list[str]:
        """Scenarios that the command names; none: all of the suite."""
        return re.findall(r"--scenario ([a-z0-9-]+)", self.command)

    @property
    def anchors(self) -> list[str]:
        """Anchors of the sections."""
        return re.findall(r"`([a-z0-9-]+)`", self.sections)


def rows(page: Path) -> list[StudyRow]:
    """Rows of a page, without the head of their table."""
    text = page.read_text("utf-8").split("\n## Its rows\n")[1].split("\n## ")[0]
    cells = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return [StudyRow(*cell) for cell in cells[1:]]


def answered_by(run: Path, page: Path) -> list[StudyRow]:
    """Rows whose command is a part of what a run has measured."""
    ran = json.loads((run / "result.json").read_text("utf-8"))["scenarios"]
    return [row for row in rows(page) if row.scenarios and set(row.scenarios) <= set(ran)]


def without_section(run: Path, page: Path) -> list[tuple[str, str]]:
    """Rows that a run answers, with anchors that lead nowhere in its report of either language."""
    missing = []
    for language in _LANGUAGES:
        report = (run / f"report-{language}.md").read_text("utf-8")
        there = set(re.findall(r'<a id="([^"]+)"', report))
        missing += [
            (row.row, f"{language}#{anchor}")
            for row in answered_by(run, page)
            for anchor in row.anchors
            if anchor not in there
        ]
    return missing
