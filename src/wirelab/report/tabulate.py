"""Figures of cells as entries of tables, and the published figures beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wirelab.model.result import Cell, Unsupported, Verdict
from wirelab.report import figures
from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Badge,
    Figure,
    Footnote,
    Head,
    Plain,
    Row,
    RowGroup,
    TableCell,
    WordsCell,
    plain,
)
from wirelab.words import numbers
from wirelab.words.translation import N_
from wirelab.words.translation import Words as Spoken

DASH = "–"


@dataclass(frozen=True)
class FigureColumn:
    """A metric as a column. ``factor`` scales it (100 / deadline: a share); ``published`` is the
    key of the published figure where it differs from the metric."""

    metric: str
    title: str = ""
    unit: str = ""
    factor: float = 1.0
    offset: float = 0.0
    published: str = ""

    @property
    def published_key(self) -> str:
        """Key of the published figure that means the same."""
        return self.published or self.metric


def heading_of(context: Context, column: FigureColumn) -> str:
    """The title above a column: its own, or that of its metric."""
    own = column.title
    return context.words.gettext(own) if own else context.naming.column_title(column.metric)


_UNSUPPORTED = {
    "not-measured": N_("not measured"),
    "not-supported": N_("not supported"),
    "not-reported": N_("not reported by the runtime"),
    "no-samples": N_("no samples"),
    "no-trials": N_("no included trial"),
    "wrong-answer": N_("wrong answers"),
    "one-trial": N_("needs two trials"),
    "too-few-trials": N_("too few trials"),
    "timeout-ignored": N_("timeout ignored"),
    "not-offered": N_("not offered"),
    "failed": N_("threw"),
    "none-held": N_("no load held"),
    "none-failed": N_("no load failed"),
    "too-short": N_("step too short to tell"),
    "unwatched": N_("not seen whole by the monitor"),
    "never-reached": N_("never reached"),
    "host-disturbed": N_("the host was disturbed"),
    "steal-takes-more": N_("processor time stolen"),
    "steal-takes-more-elsewhere": N_("processor time stolen"),
    "steal-too-little": N_("processor time stolen"),
}


def why_absent(unsupported: Unsupported | None, words: Spoken) -> str:
    """The reason why a metric has no value, in a few words; an unknown code stands for itself."""
    _ = words.gettext
    if unsupported is None:
        return _("not measured")
    if unsupported.has is not None and unsupported.needs is not None:
        has, needs = (f"{int(n):,}" for n in (unsupported.has, unsupported.needs))
        if unsupported.code == "too-few-samples":
            return _("n too small ({has} of {needs})").format(has=has, needs=needs)
        if unsupported.code == "too-few-trials":
            return _("too few trials ({has} of {needs})").format(has=has, needs=needs)
    known = _UNSUPPORTED.get(unsupported.code)
    return _(known) if known else unsupported.code.replace("-", " ")


def verdict_badge(verdict: Verdict, words: Spoken) -> Badge:
    """A verdict in a word, for reading and for colour."""
    _ = words.gettext
    if verdict is Verdict.VALID:
        return Badge(_("valid"), "good")
    if verdict is Verdict.WARN:
        return Badge(_("warning"), "warn")
    return Badge(_("invalid"), "bad")


def measured(context: Context, cell: Cell, column: FigureColumn, *, star: bool = False) -> Plain:
    """The figure of a cell, or why there is none."""
    metric = cell.metrics.get(column.metric)
    if metric is None:
        return Absent(why_absent(None, context.words))
    value = metric.value
    if value is None and metric.uncensored is not None:
        # Of disturbed time alone: better than nothing to look at, and never ranked.
        value = metric.uncensored
        metric = metric.model_copy(update={"value": value, "verdict": Verdict.INVALID})
    if value is None:
        return Absent(why_absent(metric.unsupported, context.words))
    if column.offset:
        metric = metric.model_copy(
            update={
                "value": value * column.factor + column.offset,
                "interval": metric.interval
                and tuple(b * column.factor + column.offset for b in metric.interval),
            }
        )
        shown = figures.figure(metric, unit=column.unit or None)
    else:
        shown = figures.figure(metric, column.factor, column.unit or None)
    invalid = metric.verdict is Verdict.INVALID
    best = star and not invalid and context.rank_in(cell, column.metric) == 1
    return Figure(shown.number, shown.interval, star=best, tentative=invalid)


def published_cell(context: Context, key: str, column: FigureColumn) -> Plain:
    """The published figure with the marks of its defects."""
    published = context.published
    if published is None:
        return Absent(DASH)
    marks = published.marks(column.published_key, key)
    if (value := published.figure(key, column.published_key)) is not None:
        return Figure(numbers.published(value), marks=marks)
    if (said := published.words_for(key, column.published_key)) is not None:
        return WordsCell((plain(said.of(context.language)),), marks=marks)
    return Absent(DASH)


def published_row(
    context: Context, here: str, keys: Sequence[str], title: str = ""
) -> tuple[Row, ...]:
    """The study's row of the contender that stands for one of its own; none where it has none."""
    found = context.key_of(here)
    if found is None:
        return ()
    cells = tuple(published_cell(context, found, FigureColumn(key)) for key in keys)
    if all(isinstance(cell, Absent) for cell in cells):
        return ()
    return (Row(Head(title or context.words.gettext("published")), cells, published=True),)


def unit_of(cells: Iterable[Cell], column: FigureColumn) -> str:
    """The unit a column shows."""
    if column.unit:
        return column.unit
    for cell in cells:
        if column.metric in cell.metrics:
            unit = cell.metrics[column.metric].unit
            return "" if unit == "count" else unit
    return ""


def contender_head(context: Context, cell: Cell, label: str = "") -> Head:
    """A contender as the header of its rows, by its name or a ``label``; that its cell is invalid,
    or that it is a yardstick and no choice, is seen there."""
    badge = None
    if cell.verdict is Verdict.INVALID:
        badge = verdict_badge(cell.verdict, context.words)
    elif cell.contender in context.references:
        badge = Badge(context.words.gettext("reference"))
    return Head(label or context.name(cell.contender), badge, context.colour(cell.contender))


def is_published(context: Context, column: FigureColumn) -> bool:
    """Whether the study has a figure of the column for anybody."""
    published = context.published
    return published is not None and any(
        published.figure(key, column.published_key)
        or published.words_for(key, column.published_key)
        for key in published.contenders
    )


def pass_badge(context: Context, value: float | None, bound: float) -> Plain:
    """Whether a figure stays below its bound."""
    _ = context.words.gettext
    if value is None:
        return Absent(DASH)
    return Badge(_("passed"), "good") if value < bound else Badge(_("not passed"), "bad")


def notes_for(context: Context, groups: Iterable[RowGroup]) -> tuple[Footnote, ...]:
    """A note for each mark a table carries, leading to where the defect is explained."""
    if context.published is None:
        return ()
    cells = (cell for group in groups for row in group.rows for cell in row.cells)
    used = {mark for cell in cells for mark in _marks(cell)}
    return tuple(
        Footnote(mark, plain(defect.title.of(context.language)), f"defect-{mark.lower()}")
        for defect in context.published.defects
        if (mark := context.published.mark_of(defect)) in used
    )


def _marks(cell: TableCell) -> tuple[str, ...]:
    parts = (cell, getattr(cell, "here", None), getattr(cell, "published", None))
    return tuple(mark for part in parts for mark in getattr(part, "marks", ()))
