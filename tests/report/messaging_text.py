"""Sections of the suite ``messaging`` as text, and where to look in them."""

from __future__ import annotations

from messaging_sample import SUITE, sample
from told_once import told_once

from wirelab.model.result import Result, Series
from wirelab.report.context import Context
from wirelab.report.document import Document
from wirelab.report.forms.markdown import render_markdown
from wirelab.report.published import Published, read_published
from wirelab.report.sections import errors
from wirelab.report.sources import composer
from wirelab.words.translation import words

OWN = (
    *("meanings", "table-5", "table-6", "table-7", "table-8", "table-9", "by-size"),
    *("applications", "sockets", "guarantees", "connecting", "capacities", "stream", "queues"),
    *("clients-and-broker", "choice", "statements", "not-to-be-had"),
)
"""Anchors of the suite's own sections, in their order."""


def published() -> Published:
    """Figures of the study."""
    found = read_published(SUITE / "published.toml")
    assert found is not None
    return found


def context_of(found: Result, language: str = "en") -> Context:
    """The context a chapter looks at."""
    return Context(found, Series(cells={}), words(language, SUITE / "locale"), published())


def own(found: Result, language: str = "en") -> str:
    """The first screen and the suite's own sections, and what callers saw, as Markdown."""

    def composed() -> str:
        context = context_of(found, language)
        whole = composer("messaging", SUITE)(context)
        sections = [section for section in whole.sections if section.anchor in OWN]
        sections += errors.sections(context)
        shown = Document("t", "s", language, (), whole.overview, tuple(sections), ())
        return render_markdown(shown)

    return told_once(found, language, compose=composed)


def is_gone(words: str, text: str) -> bool:
    """Whether what the whole sample's sections say is not in a text of less."""
    return words in own(sample()) and words not in text


def section(text: str, anchor: str) -> str:
    """Text of one section."""
    return text.split(f'<a id="{anchor}"></a>', 1)[1].split('<a id="', 1)[0]


def rows(text: str, caption: str) -> list[list[str]]:
    """Rows of the table below a caption."""
    table = text.split(f"**{caption}**", 1)[1].strip().split("\n\n")[0]
    return [[c.strip() for c in line.strip("|").split(" | ")] for line in table.splitlines()[2:]]
