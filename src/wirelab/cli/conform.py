"""``wl conform``: check a worker against the contract."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from wirelab import conform as checker
from wirelab.build import Unavailable, Workshop
from wirelab.catalog import SuiteEntry, suite_at
from wirelab.cli.installing import InstallOption, permission
from wirelab.cli.places import ROOT
from wirelab.cli.suites import SuitesOption, known_suites
from wirelab.manifest import load_contender
from wirelab.model.mistake import MistakeError
from wirelab.run.checking import Wanted, described
from wirelab.run.settings import settings_of

CANNOT_CHECK = 2


def conform(
    path: Annotated[Path, typer.Argument(help="Folder of a contender.")],
    *,
    suite: Annotated[
        str, typer.Option(help="Name or folder; by default where the contender is, or says.")
    ] = "",
    folders: SuitesOption = None,
    scenario: Annotated[str, typer.Option(help="The first under load by default.")] = "",
    variant: Annotated[str, typer.Option(help="The first that breaks nothing by default.")] = "",
    role: Annotated[
        str, typer.Option(help="Only this role; by default every one that the contender fills.")
    ] = "",
    command: Annotated[
        str, typer.Option(metavar="'COMMAND'", help="Another worker in place of the contender's.")
    ] = "",
    server: Annotated[
        str, typer.Option(metavar="'COMMAND'", help="In place of the suite's services.")
    ] = "",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Set a parameter.")
    ] = None,
    install: InstallOption = False,
    write: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write what is to be checked, and check nothing."),
    ] = None,
) -> None:
    """Check a worker against the worker contract; builds what the check needs first.

    Exit code 0: it keeps the contract; 1: it does not; 2: it could not be checked. With --write
    the checker alone (src/wirelab/conform, standard library) reads the file: python3 conform FILE.
    """
    chosen = _suite_of(folders, path, suite)
    contender = chosen.chosen_contenders([f"{path}{os.sep}"])[0]
    wanted = Wanted(
        scenario=scenario,
        variant=variant,
        role=role,
        command=shlex.split(command),
        server=shlex.split(server),
        parameters=settings_of(settings or [], chosen, [contender], [], ""),
    )
    try:
        may_install = permission(install=install)
        workshop = Workshop(ROOT, lambda line: typer.echo(line, err=True), may_install=may_install)
        document = described(chosen, contender, wanted, workshop.prepare, ROOT)
    except Unavailable as missing:
        remedy = f"; to mend it: {missing.remedy}" if missing.remedy else ""
        typer.echo(f"cannot be checked here: {missing.reason}{remedy}", err=True)
        raise typer.Exit(CANNOT_CHECK) from None
    if write is not None:
        write.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
        return
    try:
        found = checker.workers(document)
    except checker.CannotCheckError as error:
        typer.echo(f"conform: {error}", err=True)
        raise typer.Exit(CANNOT_CHECK) from None
    raise typer.Exit(checker.report(found))


class SuiteNotSaidError(MistakeError):
    """A contender of which nobody says what it is to be checked for."""


def _suite_of(folders: Sequence[Path] | None, path: Path, asked: str) -> SuiteEntry:
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
        f'{file} is in the folder of no suite and names none: write suite = "NAME" into it, '
        f"or say --suite NAME; known: {', '.join(known.suites) or 'none'}"
    )


def _around(path: Path) -> list[Path]:
    """The folders it is in by its name, and by where that leads: either may be a link."""
    return [*Path(os.path.normpath(path.absolute())).parents, *path.resolve().parents]
