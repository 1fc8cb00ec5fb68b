"""Tables of a scenario by the steps of its load: of one contender, and of all beside each other.

The ranks are those of each step's cells. Published figures are of a whole run, never of a step,
so they stand at the whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from wirelab.model.result import Cell
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Column,
    Figure,
    Head,
    MeasuredBesidePublished,
    Plain,
    Row,
    RowGroup,
    Table,
    TableCell,
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
    verdict_badge,
)

# ------------------------------------------------------------------- one contender, by step


def of_contender(
    table: CellTable, contender: str, caption: str, columns: Sequence[FigureColumn]
) -> Table | None:
    """Steps down, metrics across, what was published below; None where nothing is known."""
    context = table.context
    _ = context.words.gettext
    cells = [found for part in table.columns if (found := part.cell(contender))]
    key = context.key_of(contender)
    columns = [c for c in columns if any(c.metric in found.metrics for found in cells)]
    if not columns:
        return None
    rows = [
        Row(_step_head(table, found), tuple(measured(context, found, c) for c in columns))
        for found in cells
    ]
    if key is not None:
        theirs = tuple(published_cell(context, key, column) for column in columns)
        if not all(isinstance(cell, Absent) for cell in theirs):
            rows.append(Row(Head(_("published, whole run")), theirs, published=True))
    titles = tuple(
        Column(
            heading_of(context, column),
            unit_of(cells, column),
        )
        for column in columns
    )
    groups = (RowGroup(tuple(rows)),)
    return Table(caption, (_("step"),), titles, groups, notes_for(context, groups))


def _step_head(table: CellTable, found: Cell) -> Head:
    badge = verdict_badge(found.verdict, table.context.words)
    return Head(table.step_title(found.step), None if badge.tone == "good" else badge)


# --------------------------------------------------------------- all contenders, one metric


def across(
    table: CellTable,
    caption: str,
    column: FigureColumn,
    *,
    ranks: bool = True,
    published: bool = True,
) -> Table:
    """Contenders down, steps across, with the rank in each step; published beside the whole, but
    where the load is another than the study's.
    """
    context = table.context
    _ = context.words.gettext
    shown = [part for part in table.columns if any(column.metric in c.metrics for c in part.cells)]
    beside = published and bool(shown) and not shown[-1].step
    rows = tuple(
        _row(table, shown, name, column, ranks=ranks, published=beside)
        for name in table.yardsticks_last
    )
    groups = [RowGroup(rows)]
    if beside and (others := _published_only(table, shown, column)):
        groups.append(RowGroup(tuple(others)))
    unit = unit_of((cell for part in shown for cell in part.cells), column)
    titles = tuple(Column(part.title, unit) for part in shown)
    return Table(caption, (_("contender"),), titles, tuple(groups), notes_for(context, groups))


def side_by_side(table: CellTable, caption: str, columns: Sequence[FigureColumn]) -> Table:
    """Contenders down, metrics across, with the rank in each; yardsticks last."""
    context = table.context
    columns = [c for c in columns if any(c.metric in found.metrics for found in table.cells)]
    ordered = sorted(table.cells, key=lambda found: found.contender in context.references)
    rows = tuple(
        Row(
            contender_head(context, found, table.label(found.contender)),
            tuple(ranked_figure(table, found, column) for column in columns),
        )
        for found in ordered
    )
    titles = tuple(Column(heading_of(context, c), unit_of(table.cells, c)) for c in columns)
    return Table(caption, (context.words.gettext("contender"),), titles, (RowGroup(rows),))


def rows_of(table: CellTable, contender: str, metrics: Mapping[str, str]) -> tuple[Row, ...]:
    """Rows of a contender: metrics by their titles, each across the steps."""
    return tuple(
        Row(Head(title), table.shown_along(contender, FigureColumn(metric)))
        for title, metric in metrics.items()
    )


def sheet(
    context: Context, caption: str, titles: Sequence[str], groups: Sequence[RowGroup]
) -> Table:
    """Contenders down with several rows each, a column a step."""
    stub = (context.words.gettext("contender"), context.words.gettext("figures"))
    columns = tuple(Column(title) for title in titles)
    return Table(caption, stub, columns, tuple(groups), notes_for(context, groups))


def _row(
    table: CellTable,
    shown: Sequence[CellTable],
    name: str,
    column: FigureColumn,
    *,
    ranks: bool,
    published: bool,
) -> Row:
    context = table.context
    head = Head(table.label(name), None, context.colour(name))
    cells: list[TableCell] = []
    for part in shown:
        found = part.cell(name)
        if found is None:
            cells.append(Absent(DASH))
            continue
        if name in context.references:
            head = contender_head(context, found, table.label(name))
        here = ranked_figure(part, found, column) if ranks else measured(context, found, column)
        whole = published and not part.step
        cells.append(_with_published(context, name, here, column) if whole else here)
    return Row(head, tuple(cells))


def ranked_figure(part: CellTable, found: Cell, column: FigureColumn) -> Plain:
    """A figure with its star and its rank among the cells it is compared with."""
    figure = measured(part.context, found, column, star=True)
    if not isinstance(figure, Figure) or figure.tentative:
        return figure
    return replace(figure, rank=part.rank(found, column.metric))


def _with_published(
    context: Context, contender: str, here: Plain, column: FigureColumn
) -> TableCell:
    key = context.key_of(contender)
    if key is None or not is_published(context, column):
        return here
    theirs = published_cell(context, key, column)
    if isinstance(theirs, Absent):
        return here
    return MeasuredBesidePublished(here, theirs, context.words.gettext("published"))


def _published_only(
    table: CellTable, shown: Sequence[CellTable], column: FigureColumn
) -> list[Row]:
    """Contenders that only the study has."""
    context = table.context
    published = context.published
    rows = []
    for key, contender in published.contenders.items() if published else ():
        if context.stand_ins[key] in table.contenders:
            continue
        theirs = published_cell(context, key, column)
        if not isinstance(theirs, Absent):
            cells = (*(Absent(DASH) for _part in shown[:-1]), theirs)
            rows.append(Row(Head(contender.title.of(context.language)), cells, published=True))
    return rows
