"""The suites that a command knows: those of the tree, and of folders that the user names."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from wirelab.catalog import Catalog, SuiteEntry, find_catalog, suite_at
from wirelab.cli.places import ROOT, refuse_code_of
from wirelab.manifest import load_contender
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


class SuiteNotSaidError(MistakeError):
    """A contender of which nobody says which suite it is for."""


def known_suites(folders: Sequence[Path] | None, names: Sequence[str] | None = None) -> Catalog:
    """The suites of the tree and of ``folders``; where ``names`` suffice, nobody else's."""
    return find_catalog(ROOT, folders or (), () if folders else names or ())


def suite_of(run: Run, place: Path, folders: Sequence[Path] | None) -> SuiteEntry:
    """The suite of the run stored at ``place``: from ``folders`` if it is there, else where the run
    says, but for code that came along with the run."""
    known = known_suites(folders, [run.suite])
    if not run.suite_folder or (folders and run.suite in known.suites):
        return known.suite(run.suite)
    refuse_code_of(place, run.suite_folder, "--suites DIR")
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


def suite_for(folders: Sequence[Path] | None, path: Path, asked: str) -> SuiteEntry:
    """The suite ``asked`` for, else the one whose folder ``path`` is in, else the manifest's."""
    if asked:
        known, file = known_suites(folders), Path(asked).resolve() / "suite.toml"
        named = asked in known.suites or not file.is_file()
        return known.suite(asked) if named else suite_at(file)
    for folder in _around(path):
        if (folder / "suite.toml").is_file():
            return suite_at(folder / "suite.toml")
    known, file = known_suites(folders), path.resolve() / "contender.toml"
    if own := load_contender(file).suite:
        return known.suite(own)
    raise SuiteNotSaidError(
        f'{file} is not in the folder of a suite and names none: write suite = "NAME" into it, '
        f"or say --suite NAME; known: {', '.join(known.suites) or 'none'}"
    )


def _around(path: Path) -> list[Path]:
    """The folders it is in by its name, and by where that leads: either may be a link."""
    return [*Path(os.path.normpath(path.absolute())).parents, *path.resolve().parents]
