"""Recommendations: a first and a second choice for a situation, from one ranked figure.

Nobody is recommended from a figure that was not measured, that its samples do not support, or
whose cell is invalid; a tie is a shared choice. Nobody is recommended for the few lines of its
worker either: those are denser code, and no easier library.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wirelab.model.result import Cell, Verdict
from wirelab.report import figures
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Column,
    Head,
    Row,
    RowGroup,
    Table,
    TableCell,
    Text,
    WordsCell,
    plain,
    text,
)
from wirelab.report.tabulate import notes_for, why_absent


@dataclass(frozen=True)
class Choice:
    """First and second choice with their grounds; no first one when it was left open.

    ``level``: nobody is behind anybody, so the first choice is everybody.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    grounds: Text
    level: bool = False

    @property
    def decided(self) -> bool:
        """Whether somebody is recommended."""
        return bool(self.first)


@dataclass(frozen=True)
class Situation:
    """A situation in which a reader has to decide. ``key`` is that of the study's advice."""

    key: str
    title: str
    choose: Callable[[Context, CellTable], Choice]


def by_metric(context: Context, comparison: CellTable, metric: str) -> Choice:
    """The ranks of a metric as choices; left open with the reason where nothing is ranked, or where
    nothing bounds the figure of who is first.
    """
    _ = context.words.gettext
    ranked = [cell for cell in comparison.ranked if context.rank_in(cell, metric)]
    if len(ranked) < 2:
        return undecided(_why_open(context, comparison, metric))
    best, *behind = sorted({cell.ranks[metric] for cell in ranked})
    if best > _best_place(comparison, metric):
        return undecided(_why_open(context, comparison, metric))
    first = [cell for cell in ranked if cell.ranks[metric] == best]
    second = [cell for cell in ranked if cell.ranks[metric] in behind[:1]]
    return Choice(
        _names(context, first),
        _names(context, second),
        _grounds(context, comparison, metric, [*first, *second]),
        level=len(first) == len(ranked),
    )


def _best_place(comparison: CellTable, metric: str) -> int:
    """The place of whoever is first, also where nothing bounds its figure."""
    return min(cell.ranks[metric] for cell in comparison.ranked if metric in cell.ranks)


def alone(comparison: CellTable, metric: str) -> Cell | None:
    """The cell that has a figure of a metric and no company; None with company, or without any."""
    usable = [cell for cell in comparison.cells if cell.usable(metric) is not None]
    return usable[0] if len(usable) == 1 else None


def undecided(reason: str) -> Choice:
    """No choice, and why."""
    return Choice((), (), plain(reason))


def table(context: Context, comparison: CellTable, situations: Sequence[Situation]) -> Table:
    """Every situation with its choices and grounds, above what the study advised."""
    _ = context.words.gettext
    groups = [_group(context, comparison, situation) for situation in situations]
    columns = tuple(
        Column(title, align="left") for title in (_("first choice"), _("second"), _("grounds"))
    )
    beside = context.published is not None and bool(context.published.advice)
    stub = (_("situation"), _("figures")) if beside else (_("situation"),)
    return Table(_("Recommendations"), stub, columns, tuple(groups), notes_for(context, groups))


def _group(context: Context, comparison: CellTable, situation: Situation) -> RowGroup:
    _ = context.words.gettext
    choice = situation.choose(context, comparison)
    cells: tuple[TableCell, ...] = (
        chosen(context, choice.first),
        chosen(context, choice.second),
        WordsCell((choice.grounds,)),
    )
    if context.published is None or not context.published.advice:
        return RowGroup((Row(Head(situation.title), cells),))
    rows = [Row(Head(_("here")), cells)]
    theirs = next((a for a in context.published.advice if a.situation == situation.key), None)
    if theirs is not None:
        titles = {k: c.title.of(context.language) for k, c in context.published.contenders.items()}
        marks = context.published.marks(f"advice.{situation.key}", theirs.first)
        cells = (
            chosen(context, (titles[theirs.first],) if theirs.first else ()),
            chosen(context, (titles[theirs.second],) if theirs.second else ()),
            WordsCell((plain(theirs.grounds.of(context.language)),), marks=marks),
        )
        rows.append(Row(Head(_("published")), cells, published=True))
    return RowGroup(tuple(rows), Head(situation.title))


def chosen(context: Context, names: tuple[str, ...]) -> TableCell:
    """The contenders of a choice, and that they are not told apart where there are several."""
    _ = context.words.gettext
    if not names:
        return Absent(_("undecided"))
    lines = [text("**{name}**", name=name) for name in names]
    if len(names) > 1:
        lines.append(plain(_("(not told apart)")))
    return WordsCell(tuple(lines))


def _names(context: Context, cells: Sequence[Cell]) -> tuple[str, ...]:
    return tuple(context.name(cell.contender) for cell in cells)


def _grounds(context: Context, comparison: CellTable, metric: str, chosen: Sequence[Cell]) -> Text:
    """The figures the choice rests on, and who took no part."""
    _ = context.words.gettext
    title = context.naming.title(metric)
    said = "; ".join(f"{context.name(c.contender)} {_with_interval(c, metric)}" for c in chosen)
    left = [
        f"{context.name(c.contender)} ({_why_out(context, c, metric)})"
        for c in comparison.cells
        if metric not in c.ranks and c.contender not in context.references
    ]
    grounds = text(_("{metric}: {figures}."), metric=title, figures=said)
    if left:
        grounds += text(_(" Not considered: {names}."), names="; ".join(left))
    return grounds


def _with_interval(cell: Cell, metric: str) -> str:
    shown = figures.figure(cell.metrics[metric])
    unit = cell.metrics[metric].unit
    return " ".join(part for part in (shown.number, shown.interval, unit) if part)


def _why_open(context: Context, comparison: CellTable, metric: str) -> str:
    _ = context.words.gettext
    why = "; ".join(
        f"{context.name(c.contender)}: {_why_out(context, c, metric)}" for c in comparison.cells
    )
    return _("{metric} could not be ranked ({why})").format(
        metric=context.naming.title(metric), why=why
    )


def _why_out(context: Context, cell: Cell, metric: str) -> str:
    _ = context.words.gettext
    found = cell.metrics.get(metric)
    if found is not None and found.verdict is Verdict.INVALID:
        return _("invalid")
    if found is None or found.value is None:
        return why_absent(found.unsupported if found else None, context.words)
    if found.at_least:
        return _("only a lower bound is known")
    if metric in cell.ranks and context.rank_in(cell, metric) is None:
        return _("one trial: nothing can be told apart")
    if context.rank_in(cell, metric) is not None:
        return _("behind a figure that nothing bounds")
    return _("nobody to compare with")
