"""All ranked figures in one table, with stars."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.report import remarks
from wirelab.report.apart import apart
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.costs import COSTS, cheapest, cost_of, known_costs, published_as
from wirelab.report.document import (
    Absent,
    Badge,
    Block,
    Column,
    Figure,
    Head,
    MeasuredBesidePublished,
    Paragraph,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    WordsCell,
    cell,
    plain,
)
from wirelab.report.published import SummaryRow
from wirelab.report.tabulate import (
    DASH,
    FigureColumn,
    measured,
    notes_for,
    published_cell,
    unit_of,
    verdict_badge,
)


def summary(context: Context, comparison: CellTable, chosen: Sequence[str] = ()) -> Section:
    """Metrics down, contenders across; the published figure below each.

    ``chosen`` metrics, or those the scenario ranks by.
    """
    _ = context.words.gettext
    names = list(chosen) or [ranking.metric for ranking in comparison.scenario.rankings]
    rows = [_row(context, comparison, name) for name in names]
    rows += [_cost_row(context, comparison, cost.key) for cost in known_costs(context)]
    columns = [
        Column(context.name(c.contender), colour=context.colour(c.contender))
        for c in comparison.cells
    ]
    columns += [Column(title) for title in _published_titles(context, comparison)]
    columns.append(Column(_("remark"), align="left"))
    groups = (RowGroup((_verdict_row(context, comparison),)), RowGroup(tuple(rows)))
    blocks: list[Block | Section] = [
        Paragraph(plain(_introduction(context))),
        *apart(
            Table(_("Summary"), (_("metric"),), tuple(columns), groups, notes_for(context, groups)),
            len(comparison.cells),
            len(columns) - 1,
            _("{caption}: published only").format(caption=_("Summary")),
        ),
    ]
    return Section(_("Summary of figures"), "summary", tuple(blocks))


def _introduction(context: Context) -> str:
    _ = context.words.gettext
    said = _(
        "★ best figure measured here; contenders whose difference lies within the intervals share "
        "it. Invalid cells take no part. Brackets hold the 95 % interval."
    )
    if context.published is None:
        return said
    return said + _(" Published figures stand below, in italics, and take no part either.")


def _published_titles(context: Context, comparison: CellTable) -> list[str]:
    return [
        context.published.contenders[key].title.of(context.language)
        for key in _others(context, comparison)
        if context.published
    ]


def _others(context: Context, comparison: CellTable) -> list[str]:
    """Contenders of the study without a cell here."""
    return context.published_without({c.contender for c in comparison.cells})


def _verdict_row(context: Context, comparison: CellTable) -> Row:
    _ = context.words.gettext
    cells: list[TableCell] = [verdict_badge(c.verdict, context.words) for c in comparison.cells]
    cells += [Badge(_("published only")) for _key in _others(context, comparison)]
    return Row(Head(_("verdict")), (*cells, cell("")))


def _row(context: Context, comparison: CellTable, metric: str) -> Row:
    column = FigureColumn(metric)
    cells: list[TableCell] = []
    for found in comparison.cells:
        here = measured(context, found, column, star=True)
        cells.append(_beside(context, here, context.key_of(found.contender), column))
    cells += [_beside(context, Absent(DASH), key, column) for key in _others(context, comparison)]
    unit = unit_of(comparison.cells, column)
    title = context.naming.title(metric)
    head = f"{title} ({unit})" if unit else title
    return Row(Head(head), (*cells, _remark(context, comparison, metric)))


def _beside(context: Context, here: Plain, key: str | None, column: FigureColumn) -> TableCell:
    if key is None or context.published is None:
        return here
    theirs = published_cell(context, key, column)
    if isinstance(theirs, Absent):
        return here
    row = _summary_row(context, column.metric)
    if isinstance(theirs, Figure) and row is not None and row.star == key:
        theirs = Figure(theirs.number, star=True, marks=theirs.marks)
    return MeasuredBesidePublished(here, theirs, context.words.gettext("published"))


def _summary_row(context: Context, metric: str) -> SummaryRow | None:
    rows = context.published.summary if context.published else []
    return next((row for row in rows if row.metric == metric), None)


def _remark(context: Context, comparison: CellTable, metric: str) -> WordsCell:
    """Ties here, and what the study remarks."""
    _ = context.words.gettext
    lines = []
    best = remarks.leaders(comparison, metric)
    ranked = [c for c in comparison.ranked if context.rank_in(c, metric)]
    if len(best) > 1:
        names = context.names(c.contender for c in best)
        everyone = _("none told apart") if len(best) == len(ranked) else ""
        lines.append(plain(everyone or _("not told apart: {names}").format(names=names)))
    if (row := _summary_row(context, metric)) is not None:
        said = row.note.of(context.language)
        lines.append(plain(_("published: {remark}").format(remark=said)))
    return WordsCell(tuple(lines))


def _cost_row(context: Context, comparison: CellTable, key: str) -> Row:
    """An ownership figure as a row of the summary."""
    _ = context.words.gettext
    cost = next(cost for cost in COSTS if cost.key == key)
    best, theirs = cheapest(context, key), published_as(context, key)
    cells: list[TableCell] = []
    for found in comparison.cells:
        value = cost_of(context.participant(found.contender), key)
        own: Plain = Absent(DASH)
        if value is not None:
            own = Figure(cost.shown(value), star=found.contender in best)
        cells.append(_beside_cost(context, own, theirs, context.key_of(found.contender)))
    cells += [
        _beside_cost(context, Absent(DASH), theirs, published_name)
        for published_name in _others(context, comparison)
    ]
    row = _summary_row(context, f"own.{theirs}")
    remark = _("published: {remark}").format(remark=row.note.of(context.language)) if row else ""
    return Row(Head(_(cost.label)), (*cells, cell(remark)))


def _beside_cost(context: Context, own: Plain, key: str, published_name: str | None) -> TableCell:
    theirs = _published_cost(context, key, published_name) if published_name else None
    return (
        MeasuredBesidePublished(own, theirs, context.words.gettext("published")) if theirs else own
    )


def _published_cost(context: Context, key: str, published_name: str) -> WordsCell | None:
    published = context.published
    said = published.ownership.get(key, {}).get(published_name) if published else None
    if published is None or said is None:
        return None
    marks = published.marks(f"own.{key}", published_name)
    return WordsCell((plain(said.of(context.language)),), marks=marks)
