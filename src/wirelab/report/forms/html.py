"""The document as one HTML file that needs nothing else: no script, no font, no network."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from pathlib import Path
from typing import NoReturn

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from wirelab.report import document as model
from wirelab.report.charts import theme
from wirelab.report.charts.render import svg
from wirelab.words.translation import Words, words

_FOLDER = Path(__file__).parent
_INTERVAL = re.compile(r"\[[\d.,–−  ]+\]")
_DARK = ("#4DA3E0", "#FF8A4C", "#2CC79B", "#E59BC7", "#F2B632", "#8CCBF2", "#C79A80", "#B0B0B0")
"""The palette for a dark ground: the same hues, lighter."""

_DARK_NEUTRALS = {
    theme.INK: "#D7DDE3",
    theme.MUTED: "#9AA4AE",
    theme.GRID: "#343B44",
    theme.LIMIT: "#FF7B6B",
    theme.SHADE: "#262C34",
}


# What the template asks of a block or a table cell: ``item is paragraph``. Jinja refuses a name
# that is not here when it reads the template.
_TESTS: dict[str, type] = {
    "section": model.Section,
    "paragraph": model.Paragraph,
    "bullets": model.Bullets,
    "definitions": model.Definitions,
    "command": model.Command,
    "callout": model.Callout,
    "details": model.Details,
    "chart": model.Chart,
    "table": model.Table,
    "figure": model.Figure,
    "absent": model.Absent,
    "badge": model.Badge,
    "words": model.WordsCell,
    "pair": model.MeasuredBesidePublished,
}


def render_html(document: model.Document) -> str:
    """The document as HTML."""
    painter = _PAINTER.set(_Painter())
    try:
        template = _environment().get_template("report.html.j2")
        return template.render(document=document, said=_fixed_words(words(document.language)))
    finally:
        _PAINTER.reset(painter)


@functools.cache
def _environment() -> Environment:
    """The templates, which take a tenth of a second to compile: a report is of two languages."""
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["inline"] = _inline
    for name, kind in _TESTS.items():
        environment.tests[name] = _test_of(kind)
    environment.globals.update(
        refused=_refused,
        drawn=_drawn,
        colour_class=lambda number: "" if number is None else f"c{number % len(theme.PALETTE)}",
        css=Markup((_FOLDER / "report.css").read_text("utf-8") + _colour_rules()),
        spans_of=lambda table: len(table.stub) == 2,
    )
    return environment


def _test_of(kind: type) -> Callable[[object], bool]:
    return lambda thing: isinstance(thing, kind)


def _refused(thing: object) -> NoReturn:
    raise TypeError(f"the template has no form for {thing!r:.200}")


def _fixed_words(spoken: Words) -> dict[str, str]:
    """Words of the page itself, which no document carries."""
    _ = spoken.gettext
    return {
        "contents": _("Contents"),
        "overview": _("Overview"),
        "star": _("best figure"),
        "tentative": _("invalid by the checks"),
        "skip": _("Skip to the report"),
    }


class _Painter:
    """Draws panels, each with identifiers of its own."""

    def __init__(self) -> None:
        self._drawn = 0

    def drawn(self, panel: model.Panel) -> Markup:
        """The panel as SVG."""
        self._drawn += 1
        return Markup(svg(panel, f"chart{self._drawn}"))


_PAINTER = ContextVar[_Painter]("painter")
"""The painter of the document under way: templates are shared by documents."""


def _drawn(panel: model.Panel) -> Markup:
    return _PAINTER.get().drawn(panel)


def _inline(text: Iterable[model.Span]) -> Markup:
    tags = {"strong": "strong", "code": "code"}
    parts = []
    for span in text:
        words = Markup(_INTERVAL.sub(r'<span class="nb">\g<0></span>', str(escape(span.text))))
        tag = tags.get(span.kind)
        parts.append(Markup("<{0}>{1}</{0}>").format(Markup(tag), words) if tag else words)
    return Markup("").join(parts)


def _colour_rules() -> str:
    """One class a contender, and the same colours in charts, for light and dark grounds."""
    light = "".join(f"--c{n}:{colour};" for n, colour in enumerate(theme.PALETTE))
    dark = "".join(f"--c{n}:{colour};" for n, colour in enumerate(_DARK))
    classes = "".join(f".c{n}{{--c:var(--c{n})}}" for n in range(len(theme.PALETTE)))
    on_dark = f"@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}{_charts()}}}"
    return f":root{{{light}}}{classes}{on_dark}"


def _charts() -> str:
    """Charts carry fixed colours; on a dark ground each is replaced where it stands."""
    pairs = [*zip(theme.PALETTE, _DARK, strict=True), *_DARK_NEUTRALS.items()]
    return "".join(
        f'svg [{name}="{old}" i]{{{name}:{new}}}'
        for old, new in pairs
        for name in ("fill", "stroke")
    )
