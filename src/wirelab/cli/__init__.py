"""The command line: ``wl``."""

from __future__ import annotations

import sys

import typer
from rich.console import Console

from wirelab.catalog import UnknownNameError
from wirelab.cli import analyse, bench, build, compare, conform, doctor, listing, report, run, test
from wirelab.manifest import ManifestError
from wirelab.model.steps import SizeError
from wirelab.report import NoReportError
from wirelab.report.published import BrokenPublishedError
from wirelab.run.folder import NoSuchRunError
from wirelab.run.staging import CannotRunError

USAGE_ERROR = 2
MISTAKES = (
    ManifestError,
    UnknownNameError,
    NoSuchRunError,
    CannotRunError,
    NoReportError,
    BrokenPublishedError,
    SizeError,
)

app = typer.Typer(
    name="wl",
    help="Measures what goes over the wire: real libraries, one ruler.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("run")(run.run)
app.command("list")(listing.list_everything)
app.command("doctor")(doctor.doctor)
app.command("build")(build.build)
app.command("conform", context_settings=conform.PASSED_ON)(conform.conform)
app.command("analyse")(analyse.analyse)
app.command("report")(report.report)
app.command("compare")(compare.compare)
app.command("bench")(bench.bench)
app.command("test", context_settings=test.PASSED_ON)(test.test)


def main() -> None:
    """Run the command line; a user's mistake is a sentence and exit code 2, no traceback."""
    try:
        app()
    except MISTAKES as error:
        Console(stderr=True).print(f"wl: {error}", style="red", markup=False, highlight=False)
        sys.exit(USAGE_ERROR)
