"""The suites that a command knows: those of the tree, and of folders that the user names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from wirelab.catalog import Catalog, SuiteEntry, find_catalog, suite_at
from wirelab.cli.places import ROOT, refuse_code_of
from wirelab.model.mistake import MistakeError
from wirelab.model.run import Run

SuitesOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--suites", metavar="DIR", help="Folder with suites of your own; may be said again."
    ),
]


class SuiteGoneError(MistakeError):
    """A run whose suite is not where it was."""


def known_suites(folders: Sequence[Path] | None) -> Catalog:
    """The suites of the tree and of ``folders``."""
    return find_catalog(ROOT, folders or ())


def suite_of(run: Run, place: Path, folders: Sequence[Path] | None) -> SuiteEntry:
    """The suite of the run stored at ``place``: from ``folders`` if it is there, else where the run
    says, but for code that came along with the run."""
    known = known_suites(folders)
    if not run.suite_folder or (folders and run.suite in known.suites):
        return known.suite(run.suite)
    refuse_code_of(place, run.suite_folder)
    file = Path(run.suite_folder) / "suite.toml"
    if not file.is_file():
        raise SuiteGoneError(
            f"the suite {run.suite} was in {run.suite_folder}, which is gone; say in which folder "
            "it is now: --suites DIR"
        )
    suite = suite_at(file)
    if suite.name != run.suite:
        raise SuiteGoneError(
            f"the suite {run.suite} was in {run.suite_folder}, where {suite.name} is now; say in "
            "which folder it is: --suites DIR"
        )
    return suite
