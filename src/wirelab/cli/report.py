"""``wl report``: write the report of a run again."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from wirelab.catalog import find_catalog
from wirelab.cli.places import ROOT
from wirelab.samples.run_folder import NoSuchRunError, RunFolder


class Language(StrEnum):
    """Languages of reports."""

    EN = "en"
    KO = "ko"


class Form(StrEnum):
    """Forms of reports."""

    HTML = "html"
    MARKDOWN = "md"


def report(
    run: Annotated[Path, typer.Argument(help="Folder of a run.")],
    lang: Annotated[list[Language] | None, typer.Option(help="Languages; all by default.")] = None,
    form: Annotated[list[Form] | None, typer.Option(help="Forms; all by default.")] = None,
) -> None:
    """Write the report of a run again, from its cells."""
    folder = RunFolder(run)
    suite = folder.read_run().suite
    if not (run / "result.json").exists():
        raise NoSuchRunError(f"{run} has no result.json yet: wl analyse {run}")
    for path in write_reports(run, suite, lang or list(Language), form or list(Form)):
        typer.echo(path)


def write_reports(
    run: Path, suite: str, languages: list[Language], forms: list[Form]
) -> list[Path]:
    """Every report asked for; returns the files written."""
    from wirelab.report import write

    suite_folder = find_catalog(ROOT).suite(suite).folder
    return [
        path
        for language in languages
        for path in write(run, language.value, [form.value for form in forms], suite_folder)
    ]
