"""``wl report``: write the report of a run again."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from wirelab.cli.places import say_if_under_way
from wirelab.cli.suites import SuitesOption, suite_of
from wirelab.samples.run_folder import NoSuchRunError, RunFolder


class Language(StrEnum):
    """Languages of reports."""

    EN = "en"
    KO = "ko"


class ReportForm(StrEnum):
    """Forms of reports."""

    HTML = "html"
    MARKDOWN = "md"


def report(
    run: Annotated[Path, typer.Argument(help="Folder of a run.")],
    lang: Annotated[
        list[Language] | None, typer.Option(metavar="en|ko", help="Languages; all by default.")
    ] = None,
    form: Annotated[
        list[ReportForm] | None, typer.Option(metavar="html|md", help="Forms; all by default.")
    ] = None,
    folders: SuitesOption = None,
) -> None:
    """Write the report of a run again, from its cells."""
    stored = RunFolder(run).read_run()
    if not (run / "result.json").exists():
        raise NoSuchRunError(f"{run} has no result.json yet: ./wl analyse {run}")
    say_if_under_way(run)
    suite = suite_of(stored, run, folders).folder
    for path in write_reports(run, suite, lang or list(Language), form or list(ReportForm)):
        typer.echo(path)


def write_reports(
    run: Path, suite: Path, languages: list[Language], forms: list[ReportForm]
) -> list[Path]:
    """Every report asked for, with what the folder ``suite`` adds; returns the files written."""
    from wirelab.report import write

    return [
        path
        for language in languages
        for path in write(run, language.value, [form.value for form in forms], suite)
    ]
