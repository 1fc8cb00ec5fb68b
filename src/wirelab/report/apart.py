"""A table whose last contenders nobody measured here, as two: ours, and what was only published."""

from __future__ import annotations

from dataclasses import replace

from wirelab.report.document import (
    Absent,
    Block,
    MeasuredBesidePublished,
    Row,
    RowGroup,
    Table,
    TableCell,
)


def apart(table: Table, first: int, last: int, caption: str) -> list[Block]:
    """``table`` without its columns from ``first`` up to ``last``, which become one of their own;
    rows in which these say nothing are left out there."""
    if first == last:
        return [table]
    kept = _columns(table, [at for at in range(len(table.columns)) if not first <= at < last])
    moved = _columns(table, list(range(first, last)))
    groups = tuple(
        replace(group, rows=rows)
        for group in moved.groups
        if (rows := tuple(_unpaired(row) for row in group.rows if _says(row)))
    )
    return [kept, replace(moved, caption=caption, groups=groups)] if groups else [kept]


def _columns(table: Table, places: list[int]) -> Table:
    groups = tuple(
        RowGroup(
            tuple(replace(r, cells=tuple(r.cells[at] for at in places)) for r in g.rows), g.head
        )
        for g in table.groups
    )
    return replace(table, columns=tuple(table.columns[at] for at in places), groups=groups)


def _says(row: Row) -> bool:
    return any(isinstance(cell, MeasuredBesidePublished) for cell in row.cells)


def _unpaired(row: Row) -> Row:
    """The row with what was published alone: nothing was measured beside it."""
    return replace(row, cells=tuple(_published(cell) for cell in row.cells), published=True)


def _published(cell: TableCell) -> TableCell:
    if isinstance(cell, MeasuredBesidePublished):
        return cell.published if cell.published is not None else Absent("–")
    return cell
