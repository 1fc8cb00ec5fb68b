"""Reports of the suite ``codec`` as text, and where to look in them."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from codec_sample import SUITE
from told_once import report_of
from websocket_text import part

from wirelab.model.result import Result, Series
from wirelab.report.context import Context
from wirelab.report.published import Published, read_published
from wirelab.report.sources import composer
from wirelab.words.translation import words


def report(folder: Path, found: Result, language: str = "en", form: str = "md") -> str:
    """The report of a result in a language and a form."""
    return report_of(SUITE, folder, found, language, form)


def published() -> Published:
    """Figures of the study."""
    found = read_published(SUITE / "published.toml")
    assert found is not None
    return found


def context_of(found: Result, language: str = "en") -> Context:
    """The context a chapter looks at."""
    return Context(found, Series(cells={}), words(language, SUITE / "locale"), published())


def chapter(name: str) -> ModuleType:
    """A module of the suite's report."""
    module = composer("codec", SUITE).__globals__[name]
    assert isinstance(module, ModuleType)
    return module


def rows(text: str, caption: str) -> dict[str, list[str]]:
    """Rows of the table below a caption, by their first cell that is not empty."""
    table = text.split(f"**{caption}**", 1)[1].strip()
    found: dict[str, list[str]] = {}
    for line in table.splitlines():
        if not line.startswith("|"):
            break
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        found[next((cell for cell in cells if cell), "")] = cells
    return found


__all__ = ["chapter", "context_of", "part", "published", "report", "rows"]
