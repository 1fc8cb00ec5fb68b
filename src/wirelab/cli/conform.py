"""``wl conform``: check a worker against the contract."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import Annotated

import typer

from wirelab import conform as checker
from wirelab.build import PartBuilds, Unavailable
from wirelab.cli.installing import InstallOption, permission
from wirelab.cli.places import ROOT
from wirelab.cli.suites import SuitesOption, suite_for
from wirelab.run.checking import WantedChecks, described, unchecked
from wirelab.run.settings import settings_of

CANNOT_CHECK = 2


def conform(
    path: Annotated[Path, typer.Argument(help="Folder of a contender.")],
    *,
    suite: Annotated[
        str,
        typer.Option(help="Name or folder; by default the one that the contender is in, or names."),
    ] = "",
    folders: SuitesOption = None,
    scenario: Annotated[str, typer.Option(help="The first under load by default.")] = "",
    variant: Annotated[
        str,
        typer.Option(
            help="By default the first that breaks nothing, and those whose calls are to fail."
        ),
    ] = "",
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
    chosen = suite_for(folders, path, suite)
    contender = chosen.chosen_contenders([f"{path}{os.sep}"])[0]
    wanted = WantedChecks(
        scenario=scenario,
        variant=variant,
        role=role,
        command=shlex.split(command),
        server=shlex.split(server),
        parameters=settings_of(settings or [], chosen, [contender], [], ""),
    )
    try:
        may_install = permission(install=install)
        workshop = PartBuilds(
            ROOT, lambda line: typer.echo(line, err=True), may_install=may_install
        )
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
    code = checker.report(found)
    if left := unchecked(chosen, contender, document):
        typer.echo(f"not checked, each with an option of its own: {', '.join(left)}")
    raise typer.Exit(code)
