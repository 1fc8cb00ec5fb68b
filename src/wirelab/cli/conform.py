"""``wl conform``: check a worker against the contract."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from wirelab import conform as checker
from wirelab.build import Unavailable, Workshop, contender_part, program_part
from wirelab.catalog import Catalog, ContenderEntry, SuiteEntry, find_catalog, suite_at
from wirelab.cli.places import ROOT
from wirelab.manifest import load_contender
from wirelab.model.mistake import MistakeError
from wirelab.run.settings import settings_of

PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}
CANNOT_CHECK = 2


def conform(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="Folder of a contender.")],
    *,
    suite: Annotated[
        str, typer.Option(help="Name or folder; by default where the contender is, or says.")
    ] = "",
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
    chosen = _suite_of(find_catalog(ROOT), path, suite)
    contender = chosen.chosen_contenders([f"{path}{os.sep}"])[0]
    settings_of(settings or [], chosen, [contender], [], "")
    named = {"--scenario": scenario, "--variant": variant, "--role": role}
    options = [word for name, value in named.items() if value for word in (name, value)]
    options += [word for setting in settings or [] for word in ("--set", setting)]
    folder, wanted = checker.parse(
        [str(contender.folder), "--suite", str(chosen.folder), *options, *context.args]
    )
    try:
        workshop = Workshop(ROOT, lambda line: typer.echo(line, err=True))
        built = prepared(workshop, chosen, contender, wanted)
    except Unavailable as missing:
        remedy = f"; to mend it: {missing.remedy}" if missing.remedy else ""
        typer.echo(f"cannot be checked here: {missing.reason}{remedy}", err=True)
        raise typer.Exit(CANNOT_CHECK) from None
    except checker.CannotCheckError as error:
        typer.echo(f"conform: {error}", err=True)
        raise typer.Exit(CANNOT_CHECK) from None
    raise typer.Exit(checker.report(folder, built))


class SuiteNotSaidError(MistakeError):
    """A contender of which nobody says what it is to be checked for."""


def _suite_of(known: Catalog, path: Path, asked: str) -> SuiteEntry:
    """The suite ``asked`` for, else the one whose folder ``path`` is in, else the manifest's."""
    if asked:
        folder = Path(asked).resolve()
        named = asked in known.suites or not (folder / "suite.toml").is_file()
        return known.suite(asked) if named else suite_at(folder / "suite.toml")
    for name, error in known.broken.items():
        if _is_in(path, ROOT / "suites" / name):
            raise error
    for suite in known.suites.values():
        if _is_in(path, suite.folder):
            return suite
    file = path.resolve() / "contender.toml"
    if own := load_contender(file).suite:
        return known.suite(own)
    raise SuiteNotSaidError(
        f'{file} is in the folder of no suite and names none: write suite = "NAME" into it, '
        f"or say --suite NAME; known: {', '.join(known.suites) or 'none'}"
    )


def _is_in(path: Path, folder: Path) -> bool:
    """Whether it is there by its name, or by where that leads: either may be a link."""
    by_name = Path(os.path.normpath(path.absolute())).is_relative_to(folder.absolute())
    return by_name or path.resolve().is_relative_to(folder.resolve())


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
