"""Statements of the source, each beside what this run has to say of it.

A rule looks at the figures of a run and answers; it answers "open" wherever a figure is missing,
comes from an invalid cell, or cannot decide. Nothing is said that no figure carries.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from wirelab.model.result import Cell, Metric, Verdict
from wirelab.report import figures, metrics
from wirelab.report.context import Comparison, Context
from wirelab.report.document import Badge, Column, Head, Row, RowGroup, Table, Tone, Words
from wirelab.report.document import plain as plain_text
from wirelab.report.tabulate import notes_for
from wirelab.report.wording import N_
from wirelab.stats.ratio import Ratio, ratio


class Stand(Enum):
    """How a statement stands against the figures of a run: a word, and its tone."""

    SUPPORTED = (N_("supported"), "good")
    CONTRADICTED = (N_("contradicted"), "bad")
    NO_DIFFERENCE = (N_("no difference shown"), "neutral")
    OPEN = (N_("open"), "neutral")

    @property
    def word(self) -> str:
        """In English, for the catalogue."""
        return self.value[0]

    @property
    def tone(self) -> Tone:
        """How it looks."""
        return self.value[1]


@dataclass(frozen=True)
class Answer:
    """How a statement stands, with the figures it rests on, a line each."""

    stand: Stand
    grounds: str


def open_because(reason: str) -> Answer:
    """No figure of this run decides."""
    return Answer(Stand.OPEN, reason)


Rule = Callable[[], Answer]


def table(context: Context, caption: str, rules: Mapping[str, Rule]) -> Table | None:
    """The source's statements of these keys, and the answers; None without any in the source.

    A defect of the source that names ``claim.KEY`` leaves its mark at the statement.
    """
    published = context.published
    claims = [c for c in published.claims if c.key in rules] if published else []
    if not claims or published is None:
        return None
    rows = [
        _row(
            context,
            f"{claim.section} {claim.text.of(context.language)}",
            rules[claim.key](),
            published.marks_of_claim(claim.key),
        )
        for claim in claims
    ]
    return _table(context, caption, context.words.gettext("statement of the source"), rows)


def own_table(context: Context, caption: str, rules: Sequence[tuple[str, Rule]]) -> Table:
    """Statements of the report itself, each with the figures that decide it."""
    rows = [_row(context, said, rule(), ()) for said, rule in rules]
    return _table(context, caption, context.words.gettext("statement"), rows)


def _table(context: Context, caption: str, stub: str, rows: Sequence[Row]) -> Table:
    _ = context.words.gettext
    columns = (Column(_("this run"), align="left"), Column(_("figures of this run"), align="left"))
    groups = (RowGroup(tuple(rows)),)
    return Table(caption, (stub,), columns, groups, notes_for(context, groups))


def _row(context: Context, said: str, answer: Answer, marks: tuple[str, ...]) -> Row:
    badge = Badge(context.words.gettext(answer.stand.word), answer.stand.tone)
    grounds = Words(tuple(map(plain_text, answer.grounds.splitlines())), marks=marks)
    return Row(Head(said), (Words((), badge), grounds))


def tally(answers: Sequence[Answer]) -> Mapping[Stand, int]:
    """How many statements stand how."""
    return {stand: sum(answer.stand is stand for answer in answers) for stand in Stand}


# ------------------------------------------------------------------------- comparing two cells


@dataclass(frozen=True)
class Asked:
    """Two contenders in a comparison, of which the source says that the first has less (or more)
    of a metric than the second."""

    metric: str
    left: str
    right: str
    more: bool = False


def asked(context: Context, part: Comparison, question: Asked) -> Answer:
    """Whether the ratio of the two figures bears the statement out; its interval decides."""
    _ = context.words.gettext
    cells = [part.cell_of(name) for name in (question.left, question.right)]
    for name, cell in zip((question.left, question.right), cells, strict=True):
        if (why := unusable(context, cell, question.metric)) is not None:
            return open_because(f"{named(context, name)}: {why}")
    left, right = (cell.metrics[question.metric] for cell in cells if cell is not None)
    said = _("{metric}: {left} {a}, {right} {b}").format(
        metric=metrics.title(question.metric, context.words),
        left=named(context, question.left),
        right=named(context, question.right),
        a=shown(left),
        b=shown(right),
    )
    apart = ratio(left, right)
    if apart is None:
        return open_because(_("{figures}; no interval bounds their ratio").format(figures=said))
    said += f"; {times(context, apart)}"
    if apart.includes_one:
        return Answer(Stand.NO_DIFFERENCE, said)
    agrees = apart.low > 1 if question.more else apart.high < 1
    return Answer(Stand.SUPPORTED if agrees else Stand.CONTRADICTED, said)


def all_of(answers: Sequence[Answer]) -> Answer:
    """One statement that several figures have to bear out: any against it, or any that is open,
    decides the whole."""
    grounds = "\n".join(answer.grounds for answer in answers)
    for stand in (Stand.CONTRADICTED, Stand.OPEN, Stand.NO_DIFFERENCE):
        if any(answer.stand is stand for answer in answers):
            return Answer(stand, grounds)
    return Answer(Stand.SUPPORTED, grounds)


def unusable(context: Context, cell: Cell | None, metric: str) -> str | None:
    """Why a figure may not be used; None when it may."""
    _ = context.words.gettext
    if cell is None:
        return _("not measured in this run")
    if cell.verdict is Verdict.INVALID:
        return _("invalid ({gates})").format(gates=", ".join(invalidating(cell)))
    found = cell.metrics.get(metric)
    if found is None or found.value is None:
        return _("no figure of {metric}").format(metric=metrics.title(metric, context.words))
    return None


def invalidating(cell: Cell) -> list[str]:
    """The gates that made a cell invalid."""
    gates = [finding.gate for finding in cell.findings if finding.verdict is Verdict.INVALID]
    return list(dict.fromkeys(gates))


def named(context: Context, contender: str) -> str:
    """What a contender is called, one that did not take part by its own name."""
    return context.name(contender) if contender in context.result.participants else contender


def shown(metric: Metric) -> str:
    """A figure with its interval and unit, for a sentence."""
    figure = figures.figure(metric)
    unit = "" if metric.unit == "count" else metric.unit
    return "\u00a0".join(part for part in (figure.number, figure.interval, unit) if part)


def times(context: Context, apart: Ratio) -> str:
    """``ratio 0.62 [0.55–0.70]``."""
    return context.words.gettext("ratio {ratio}").format(ratio=ratio_words(apart))


def ratio_words(apart: Ratio) -> str:
    """``0.62 [0.55–0.70]``; an open end where nothing bounds it."""
    if not math.isfinite(apart.high):
        return f"{figures.brief(apart.value)} [{figures.brief(apart.low)}–∞]"
    interval = (apart.low, apart.high)
    places = max(figures.places_of(apart.value, interval, "×"), 1 if apart.low < 10 else 0)
    shown = (figures.number(apart.value, places), figures.interval_text(interval, places))
    return " ".join(part for part in shown if part)
