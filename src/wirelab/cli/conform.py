"""``wl conform``: check a worker against the contract."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from wirelab import conform as checker
from wirelab.build import Built, Unavailable, Workshop, contender_part, program_part
from wirelab.catalog import Catalog, ContenderEntry, SuiteEntry, UnknownNameError, find_catalog
from wirelab.cli.places import ROOT
from wirelab.manifest import ManifestError

PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}
UNAVAILABLE = 2


def conform(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="Folder of a contender.")],
) -> None:
    """Check a worker against the worker contract; builds what the check needs first.

    Further arguments go to the checker: --scenario NAME, --role NAME, --set KEY=VALUE.
    """
    suite, contender = _find(find_catalog(ROOT), path)
    workshop = Workshop(ROOT, lambda line: typer.echo(line, err=True))
    try:
        built = workshop.prepare(contender_part(suite, contender))
        servers = [workshop.prepare(program_part(suite, n)) for n in suite.manifest.programs]
    except Unavailable as missing:
        remedy = f"; to mend it: {missing.remedy}" if missing.remedy else ""
        Console(stderr=True).print(f"cannot be checked here: {missing.reason}{remedy}")
        raise typer.Exit(UNAVAILABLE) from None
    os.environ.update(built.environment)
    raise typer.Exit(checker.main(_arguments(suite, contender, built, servers) + context.args))


def _find(known: Catalog, path: Path) -> tuple[SuiteEntry, ContenderEntry]:
    """The suite that the contender at ``path`` fits, and the contender."""
    refused: ManifestError | UnknownNameError | None = None
    for suite in known.suites.values():
        try:
            return suite, suite.chosen_contenders([f"{path}{os.sep}"])[0]
        except (ManifestError, UnknownNameError) as error:
            refused = refused or error
    raise refused or UnknownNameError("suite", str(path), known.suites)


def _arguments(
    suite: SuiteEntry, contender: ContenderEntry, built: Built, servers: list[Built]
) -> list[str]:
    arguments = [str(contender.folder), "--suite", str(suite.folder)]
    for place, value in built.places.items():
        if place in checker.PLACES:
            arguments += [f"--{place}", value]
    for server in servers[:1]:
        arguments += ["--server", shlex.join(server.command("server"))]
    return arguments
