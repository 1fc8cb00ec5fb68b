"""Reports that a run writes at its end: all of them, some, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from wirelab.cli.report import Language, ReportForm, write_reports

ReportOption = Annotated[
    list[str] | None,
    typer.Option(
        "--report",
        metavar="en|ko[.html|.md]",
        help="Write these reports alone: those of a language, or one file; none: no report. All "
        "by default. ./wl report DIR writes them at any time.",
    ),
]

_NONE = "none"
_KNOWN = tuple((language, form) for language in Language for form in ReportForm)


@dataclass(frozen=True)
class WantedReports:
    """Reports that are wanted of a run."""

    chosen: frozenset[tuple[Language, ReportForm]] = frozenset(_KNOWN)

    @staticmethod
    def of(asked: Sequence[str] | None) -> WantedReports:
        """The meaning of the option: ``en``, ``ko.html`` and the like, or ``none``."""
        if not asked:
            return WantedReports()
        if _NONE in asked and len(asked) > 1:
            raise typer.BadParameter(f"--report {_NONE} goes with no other --report")
        return WantedReports(frozenset(one for name in asked for one in _named(name)))

    def write(self, run: Path, suite: Path) -> list[Path]:
        """Write them of a run that has its result, with what the folder ``suite`` adds; returns
        the files written.

        A report that the run has already is of its result before, and is written again.
        """
        from wirelab.report import path_of

        written: list[Path] = []
        for language in Language:
            forms = [
                form
                for form in ReportForm
                if (language, form) in self.chosen or path_of(run, language, form).is_file()
            ]
            if forms:
                written += write_reports(run, suite, [language], forms)
        return written


def _named(name: str) -> list[tuple[Language, ReportForm]]:
    """The reports that a word of the option means."""
    found = [one for one in _KNOWN if name in (one[0], ".".join(one))]
    if not found and name != _NONE:
        languages, files = ", ".join(Language), ", ".join(".".join(one) for one in _KNOWN)
        raise typer.BadParameter(
            f"--report {name}: say {_NONE}, a language ({languages}) or a file ({files})"
        )
    return found
