"""``wl conform``: check a worker against the contract."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from wirelab import conform as checker
from wirelab.build import Unavailable, Workshop, contender_part, program_part
from wirelab.catalog import Catalog, ContenderEntry, SuiteEntry, UnknownNameError, find_catalog
from wirelab.cli.places import ROOT
from wirelab.manifest import ManifestError

PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}
CANNOT_CHECK = 2


def conform(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="Folder of a contender.")],
    *,
    scenario: Annotated[str, typer.Option(help="The first under load by default.")] = "",
    variant: Annotated[str, typer.Option(help="The first that breaks nothing by default.")] = "",
    role: Annotated[str, typer.Option(help="Only this role; every one by default.")] = "",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Set a parameter.")
    ] = None,
) -> None:
    """Check a worker against the worker contract; builds what the check needs first.

    Exit code 0: it keeps the contract; 1: it does not; 2: it could not be checked. Further
    options go to the checker, such as --command 'COMMAND' for another worker of the contender.
    """
    suite, contender = _find(find_catalog(ROOT), path)
    named = {"--scenario": scenario, "--variant": variant, "--role": role}
    options = [word for name, value in named.items() if value for word in (name, value)]
    options += [word for setting in settings or [] for word in ("--set", setting)]
    folder, wanted = checker.parse(
        [str(contender.folder), "--suite", str(suite.folder), *options, *context.args]
    )
    try:
        workshop = Workshop(ROOT, lambda line: typer.echo(line, err=True))
        built = prepared(workshop, suite, contender, wanted)
    except Unavailable as missing:
        remedy = f"; to mend it: {missing.remedy}" if missing.remedy else ""
        typer.echo(f"cannot be checked here: {missing.reason}{remedy}", err=True)
        raise typer.Exit(CANNOT_CHECK) from None
    except checker.CannotCheckError as error:
        typer.echo(f"conform: {error}", err=True)
        raise typer.Exit(CANNOT_CHECK) from None
    raise typer.Exit(checker.report(folder, built))


def _find(known: Catalog, path: Path) -> tuple[SuiteEntry, ContenderEntry]:
    """The suite of the contender at ``path``, or the first that it fits; and the contender."""
    refused: ManifestError | UnknownNameError | None = None
    here = path.resolve()
    suites = sorted(
        known.suites.values(), key=lambda suite: not here.is_relative_to(suite.folder.resolve())
    )
    for suite in suites:
        try:
            return suite, suite.chosen_contenders([f"{path}{os.sep}"])[0]
        except (ManifestError, UnknownNameError) as error:
            refused = refused or error
    raise refused or UnknownNameError("suite", str(path), known.suites)


def prepared(
    workshop: Workshop, suite: SuiteEntry, contender: ContenderEntry, wanted: checker.Wanted
) -> checker.Wanted:
    """``wanted`` with everything built that the check starts; raises Unavailable."""
    built = workshop.prepare(contender_part(suite, contender))
    programs = {
        name: workshop.prepare(program_part(suite, name))
        for name in checker.programs(contender.folder, wanted)
    }
    return replace(
        wanted,
        places={**built.places, **wanted.places},
        environment=built.environment,
        programs={
            name: checker.Prepared(program.places, program.environment)
            for name, program in programs.items()
        },
    )
