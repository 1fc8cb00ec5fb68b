"""Reports: one document model, composed from a result, written in several forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from wirelab.garbage import collection_paused
from wirelab.report.document import Document
from wirelab.report.sources import NoReportError, composer, read_context
from wirelab.samples.replacing import replacing

FORMS = ("html", "md")

__all__ = ["FORMS", "NoReportError", "composed", "path_of", "write"]


@collection_paused()
def write(
    run_dir: Path, language: str, forms: Sequence[str], suite_dir: Path | None = None
) -> list[Path]:
    """Write the report of a run in a language; returns the files, as ``path_of`` names them.

    Raises NoReportError for a form that is not known or a run without a result, and
    UnknownLanguageError for a language no report is written in.
    """
    renderers = {form: _renderer(form) for form in forms}
    report = composed(run_dir, language, suite_dir)
    written = []
    for form, render in renderers.items():
        path = path_of(run_dir, language, form)
        with replacing(path) as file:
            file.write(render(report).encode())
        written.append(path)
    return written


def path_of(run_dir: Path, language: str, form: str) -> Path:
    """The file of a report in the folder of its run."""
    return run_dir / f"report-{language}.{form}"


@collection_paused()
def composed(run_dir: Path, language: str, suite_dir: Path | None = None) -> Document:
    """The report of a run as a document, before it takes a form."""
    context = read_context(run_dir, language, suite_dir)
    from wirelab.report.opening import opened

    return opened(context, composer(context.result.suite, suite_dir)(context))


def _renderer(form: str) -> Callable[[Document], str]:
    if form == "html":
        from wirelab.report.forms.html import render_html

        return render_html
    if form == "md":
        from wirelab.report.forms.markdown import render_markdown

        return render_markdown
    raise NoReportError(f"no report has the form {form!r}; forms: {', '.join(FORMS)}")
