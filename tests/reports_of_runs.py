"""Reports that runs of tests write.

Every report is composed from what was measured, in both languages, so that whatever a run leaves is
told of without an exception. Pages, whose drawings take several times as long as all their words,
are written where a test reads them, and for the main run of each suite; golden files hold the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MARKDOWN = ("en.md", "ko.md")
"""Reports of a run that says nothing of them."""

EVERY = ("en", "ko")
"""Every report that there is, pages as well."""


def with_reports(words: Sequence[str], reports: Iterable[str] = MARKDOWN) -> list[str]:
    """The words of a command: a run that names no report is told to write these."""
    if not words or words[0] != "run" or "--report" in words:
        return [*words]
    return [*words, *(word for name in reports for word in ("--report", name))]
