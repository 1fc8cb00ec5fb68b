"""The conditions under which the scenarios after the first were measured."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import Block, Column, Details, Head, Row, RowGroup, Table, cell
from wirelab.report.sections import conditions


def other_conditions(context: Context, comparisons: Sequence[CellTable]) -> tuple[Block, ...]:
    """Differences of each further scenario from the first; empty where there is none.

    ``comparisons``: all of the report, the first of which has its conditions told in full.
    """
    _ = context.words.gettext
    scenarios: dict[str, CellTable] = {}
    for comparison in comparisons:
        scenarios.setdefault(comparison.scenario_name, comparison)
    first, *others = scenarios.values()
    base = conditions.told(context, first)
    groups = tuple(_group(context, base, other) for other in others)
    if not groups:
        return ()
    stub = (_("scenario"), _("condition"))
    columns = (Column(_("measured here"), align="left"),)
    table = Table(_("Conditions that differ"), stub, columns, groups)
    return (Details(_("What the other scenarios have otherwise"), (table,)),)


def _group(context: Context, base: dict[str, tuple[str, str]], comparison: CellTable) -> RowGroup:
    own = conditions.told(context, comparison)
    rows = [
        Row(Head(label), (cell(value),))
        for key, (label, value) in own.items()
        if base.get(key, ("", ""))[1] != value
    ]
    return RowGroup(tuple(rows), Head(comparison.scenario.title.of(context.language)))
