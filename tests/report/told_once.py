"""Texts of results, each composed once a process: many tests read the report of the same sample."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from wirelab.model.result import Result, Series
from wirelab.report import write

_TOLD: dict[tuple[object, ...], str] = {}


def told_once(found: Result, *of: object, compose: Callable[[], str]) -> str:
    """The text that ``compose`` makes of the result and of all else that it depends on."""
    content = hashlib.sha256(found.model_dump_json().encode()).digest()
    if (key := (content, *of)) not in _TOLD:
        _TOLD[key] = compose()
    return _TOLD[key]


def report_of(
    suite: Path,
    folder: Path,
    found: Result,
    language: str,
    form: str,
    *,
    series: Series | None = None,
) -> str:
    """The report of a result, and of its lines over time where it has some, in a language and a
    form, written in ``folder``."""
    lines = None if series is None else series.model_dump_json()

    def written() -> str:
        (folder / "result.json").write_text(found.model_dump_json(), "utf-8")
        (folder / "series.json").unlink(missing_ok=True)
        if lines is not None:
            (folder / "series.json").write_text(lines, "utf-8")
        return write(folder, language, [form], suite)[0].read_text("utf-8")

    return told_once(found, suite, language, form, lines, compose=written)
