"""Texts of results, each composed once a process: many tests read the report of the same sample."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from wirelab.model.result import Result
from wirelab.report import write

_TOLD: dict[tuple[object, ...], str] = {}


def told_once(found: Result, *of: object, compose: Callable[[], str]) -> str:
    """The text that ``compose`` makes of the result and of all else that it depends on."""
    content = hashlib.sha256(found.model_dump_json().encode()).digest()
    if (key := (content, *of)) not in _TOLD:
        _TOLD[key] = compose()
    return _TOLD[key]


def report_of(suite: Path, folder: Path, found: Result, language: str, form: str) -> str:
    """The report of a result in a language and a form, written in ``folder``."""

    def written() -> str:
        (folder / "result.json").write_text(found.model_dump_json(), "utf-8")
        return write(folder, language, [form], suite)[0].read_text("utf-8")

    return told_once(found, suite, language, form, compose=written)
