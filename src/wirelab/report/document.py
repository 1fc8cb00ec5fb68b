"""One document for every form: what is said, in which order, never how it looks.

Texts are ``Text`` (spans with a meaning, not a look) wherever a sentence stands, and plain
``str`` where only words stand. Figures arrive here already formatted (``report.figures``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Literal

Tone = Literal["good", "warn", "bad", "neutral"]
SpanKind = Literal["plain", "strong", "code"]


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a sentence."""

    text: str
    kind: SpanKind = "plain"


Text = tuple[Span, ...]

_MARKUP = re.compile(r"(\*\*.+?\*\*|`[^`]+`)")


def plain(words: str) -> Text:
    """``words`` as they are; nothing in them is taken for markup."""
    return (Span(words),) if words else ()


def text(template: str, **values: object) -> Text:
    """A template with ``**strong**``, ```code``` and ``{name}`` placeholders.

    Values are put in after the markup is read: what a library said cannot become markup.
    """
    return tuple(Span(span.text.format(**values), span.kind) for span in marked(template))


def marked(words: str) -> Text:
    """Words of a manifest with ``**strong**`` and ```code```, and no placeholders."""
    spans = []
    for piece in _MARKUP.split(words):
        if piece.startswith("**") and piece.endswith("**") and len(piece) > 4:
            spans.append(Span(piece[2:-2], "strong"))
        elif piece.startswith("`") and piece.endswith("`") and len(piece) > 2:
            spans.append(Span(piece[1:-1], "code"))
        elif piece:
            spans.append(Span(piece))
    return tuple(spans)


def words_of(sentence: Text) -> str:
    """The sentence without its markup."""
    return "".join(span.text for span in sentence)


# ------------------------------------------------------------------------------ table cells


@dataclass(frozen=True, slots=True)
class Badge:
    """A verdict in a word."""

    label: str
    tone: Tone = "neutral"


@dataclass(frozen=True, slots=True)
class Figure:
    """A formatted figure. ``tentative``: from a cell its gates do not support; ``rank``: its
    place among those it is compared with, ``2=`` where it is shared."""

    number: str
    interval: str = ""
    unit: str = ""
    star: bool = False
    tentative: bool = False
    rank: str = ""
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Absent:
    """No figure, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class WordsCell:
    """Lines of text in a cell."""

    lines: tuple[Text, ...]
    badge: Badge | None = None
    star: bool = False
    marks: tuple[str, ...] = ()


Plain = Figure | Absent | WordsCell | Badge


@dataclass(frozen=True, slots=True)
class MeasuredBesidePublished:
    """A figure measured here, and the one published for it."""

    here: Plain
    published: Plain | None = None
    label: str = ""


TableCell = Plain | MeasuredBesidePublished


def cell(words: str) -> WordsCell:
    """A cell of plain words."""
    return WordsCell((plain(words),))


# ----------------------------------------------------------------------------------- blocks


@dataclass(frozen=True, slots=True)
class Column:
    """A column of figures (right) or words (left)."""

    title: str
    unit: str = ""
    align: Literal["left", "right"] = "right"
    colour: int | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """The header of a row or of a group of rows. ``colour``: the contender's, by number;
    ``anchor``: a name that notes can lead to."""

    label: str
    badge: Badge | None = None
    colour: int | None = None
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One row. ``published`` rows come from elsewhere and look it."""

    head: Head
    cells: tuple[TableCell, ...]
    published: bool = False


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows below one header; without a header the rows' own are enough."""

    rows: tuple[Row, ...]
    head: Head | None = None


@dataclass(frozen=True, slots=True)
class Footnote:
    """Meaning of a mark in a table. ``anchor``: where the document says more."""

    mark: str
    text: Text
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table. ``stub``: titles of the header columns, two when groups have headers."""

    caption: str
    stub: tuple[str, ...]
    columns: tuple[Column, ...]
    groups: tuple[RowGroup, ...]
    notes: tuple[Footnote, ...] = ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences."""

    text: Text


def paragraph(words: str) -> Paragraph:
    """A paragraph of plain words."""
    return Paragraph(plain(words))


@dataclass(frozen=True, slots=True)
class Bullets:
    """Remarks, each of its own."""

    items: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Definitions:
    """Terms and what they mean."""

    items: tuple[tuple[str, Text], ...]


@dataclass(frozen=True, slots=True)
class Command:
    """Something to type."""

    line: str


@dataclass(frozen=True, slots=True)
class Callout:
    """Something to see before reading on."""

    tone: Tone
    title: str
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Details:
    """Blocks a reader opens when needed."""

    summary: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class LegendItem:
    """A line or mark of a chart. ``colour``: a contender's number, None for neutral."""

    label: str
    colour: int | None
    shape: Literal["line", "dashed", "circle", "square", "triangle", "diamond", "hollow"] = "line"


@dataclass(frozen=True, slots=True)
class Panel:
    """One drawing of a chart: a Vega-Lite specification."""

    title: str
    description: str
    spec: dict[str, Any] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Chart:
    """Panels with one legend; the caption says what is to be seen."""

    title: str
    caption: Text
    panels: tuple[Panel, ...]
    legend: tuple[LegendItem, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the document with a title. ``number`` is given by ``numbered``; ``folded``: a
    reader opens it when needed, in forms without a list of contents beside them."""

    title: str
    anchor: str
    blocks: tuple[Block | Section, ...]
    number: str = ""
    folded: bool = False


Block = Paragraph | Bullets | Definitions | Command | Callout | Details | Chart | Table


@dataclass(frozen=True, slots=True)
class Document:
    """A report. ``overview`` stands before the first section: the first screen."""

    title: str
    subtitle: str
    language: str
    facts: tuple[tuple[str, str], ...]
    overview: tuple[Block, ...]
    sections: tuple[Section, ...]
    footer: Text
