"""A table with its rows as columns: for many contenders and few items."""

from __future__ import annotations

from wirelab.report.document import Column, Head, Row, RowGroup, Table


def turned(table: Table) -> Table:
    """The same cells, contenders down; of a table of one group. So many have no colours."""
    (group,) = table.groups
    columns = tuple(Column(row.head.label, align="left") for row in group.rows)
    rows = tuple(
        Row(
            Head(column.title),
            tuple(row.cells[at] for row in group.rows),
        )
        for at, column in enumerate(table.columns)
    )
    return Table(table.caption, ("",), columns, (RowGroup(rows),), table.notes)
