"""Sources of a report on disk: the result, and what the suite adds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from wirelab.model.mistake import MistakeError
from wirelab.report.context import Context
from wirelab.report.document import Document
from wirelab.report.published import read_published
from wirelab.report.units import in_words
from wirelab.samples.run_folder import RunFolder, read_result
from wirelab.suite_parts import load_part
from wirelab.words.translation import words

Compose = Callable[[Context], Document]


class NoReportError(MistakeError):
    """A report that cannot be composed."""


def read_context(run_dir: Path, language: str, suite_dir: Path | None) -> Context:
    """The context of a run; raises ``NoSuchRunError`` where there is no result."""
    result = read_result(run_dir)
    suite = suite_dir or find_suite(result.suite)
    told = words(language, suite / "locale" if suite else None)
    return Context(
        result=in_words(result, told),
        series=RunFolder(run_dir).read_series(),
        words=told,
        published=read_published(suite / "published.toml") if suite else None,
    )


def find_suite(suite: str) -> Path | None:
    """The folder of a suite in the tree this package stands in; None for one elsewhere."""
    folder = Path(__file__).parents[3] / "suites" / suite
    return folder if (folder / "suite.toml").is_file() else None


def composer(suite: str, suite_dir: Path | None) -> Compose:
    """The function that composes the report of a suite: its own ``report.py``, or the generic
    order.
    """
    folder = suite_dir or find_suite(suite)
    path = folder / "report.py" if folder else None
    if path is None or not path.is_file():
        # Loaded only where a report is composed: the charts' library takes a while.
        from wirelab.report.generic import compose as generic

        return generic
    module = load_part(f"wirelab_suite_{suite.replace('-', '_')}", path)
    compose = getattr(module, "compose", None)
    if not callable(compose):
        raise NoReportError(f"{path} has no function compose(context)")
    return compose  # type: ignore[no-any-return]
