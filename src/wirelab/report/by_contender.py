"""Tables with a row a contender and a column a metric, measured above published."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from wirelab.model.result import Cell
from wirelab.model.units import Text
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Column,
    Head,
    Plain,
    Row,
    RowGroup,
    Table,
    WordsCell,
    plain,
)
from wirelab.report.tabulate import (
    DASH,
    FigureColumn,
    contender_head,
    heading_of,
    is_published,
    measured,
    notes_for,
    published_cell,
    unit_of,
)


@dataclass(frozen=True)
class JudgedColumn:
    """A last column of words: a judgement of each cell here, and the study's own."""

    title: str
    here: Callable[[Cell], Plain]
    published: Mapping[str, Text]


def by_contender(
    context: Context,
    comparison: CellTable,
    caption: str,
    columns: Sequence[FigureColumn],
    judged: JudgedColumn | None = None,
) -> Table:
    """A table with contenders down and metrics across, measured above published.

    Columns nothing is known of, neither here nor in the study, are left out.
    """
    _ = context.words.gettext
    columns = [c for c in columns if _is_known(context, comparison, c)]
    beside = any(is_published(context, column) for column in columns)
    sheet = _Sheet(context, columns, judged, beside)
    groups = [_group(sheet, cell, comparison.label(cell.contender)) for cell in comparison.cells]
    groups += _published_groups(sheet, comparison)
    titles = tuple(Column(heading_of(context, c), unit_of(comparison.cells, c)) for c in columns)
    if judged is not None:
        titles += (Column(judged.title, align="left"),)
    stub = (_("contender"), _("figures")) if beside else (_("contender"),)
    return Table(caption, stub, titles, tuple(groups), notes_for(context, groups))


def _is_known(context: Context, comparison: CellTable, column: FigureColumn) -> bool:
    here = any(column.metric in cell.metrics for cell in comparison.cells)
    return here or is_published(context, column)


@dataclass(frozen=True)
class _Sheet:
    """Everything that all rows of a table need."""

    context: Context
    columns: Sequence[FigureColumn]
    judged: JudgedColumn | None
    beside: bool

    def own(self, cell: Cell) -> tuple[Plain, ...]:
        """The figures of a cell, and the judgement of them."""
        figures = tuple(measured(self.context, cell, column) for column in self.columns)
        return figures if self.judged is None else (*figures, self.judged.here(cell))

    def published(self, key: str) -> Row | None:
        """The published figures of a contender; None when there are none."""
        cells = tuple(published_cell(self.context, key, column) for column in self.columns)
        if all(isinstance(cell, Absent) for cell in cells):
            return None
        if self.judged is not None:
            words = self.judged.published.get(key)
            said = WordsCell((plain(words.of(self.context.language)),)) if words else Absent(DASH)
            cells = (*cells, said)
        return Row(Head(self.context.words.gettext("published")), cells, published=True)


def _group(sheet: _Sheet, cell: Cell, label: str) -> RowGroup:
    context = sheet.context
    head = contender_head(context, cell, label)
    own = sheet.own(cell)
    if not sheet.beside:
        return RowGroup((Row(head, own),))
    rows = [Row(Head(context.words.gettext("here")), own)]
    key = context.key_of(cell.contender)
    if key is not None and (theirs := sheet.published(key)) is not None:
        rows.append(theirs)
    return RowGroup(tuple(rows), head)


def _published_groups(sheet: _Sheet, comparison: CellTable) -> list[RowGroup]:
    """Contenders of the study that have no cell here: published figures only."""
    published = sheet.context.published
    if published is None:
        return []
    here = {cell.contender for cell in comparison.cells}
    groups = []
    for key, contender in published.contenders.items():
        if sheet.context.stand_ins[key] not in here and (row := sheet.published(key)) is not None:
            head = Head(contender.title.of(sheet.context.language))
            groups.append(RowGroup((row,), head))
    return groups


def judged_by(
    context: Context, key: str, title: str, here: Callable[[Cell], Plain]
) -> JudgedColumn:
    """A column of judgements with those the study has under ``key``."""
    published = context.published.judgements.get(key, {}) if context.published else {}
    return JudgedColumn(title, here, published)
