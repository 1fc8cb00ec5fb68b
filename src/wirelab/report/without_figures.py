"""Tables without a figure, told in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wirelab.report.document import (
    Absent,
    Badge,
    Block,
    Callout,
    Details,
    MeasuredBesidePublished,
    Paragraph,
    Section,
    Table,
    TableCell,
    plain,
)
from wirelab.report.tabulate import DASH
from wirelab.words.translation import Words


def told(section: Section, words: Words) -> Section:
    """The section with a sentence in the place of every table that has no figure."""
    blocks = tuple(
        told(block, words) if isinstance(block, Section) else _told(block, words)
        for block in section.blocks
    )
    return replace(section, blocks=blocks)


def _told(block: Block, words: Words) -> Block:
    match block:
        case Table() if not any(map(_says, _cells(block))):
            return Paragraph(plain(_sentence(block, words)))
        case Details() | Callout():
            return replace(block, blocks=tuple(_told(inner, words) for inner in block.blocks))
    return block


def _cells(table: Table) -> Iterator[TableCell]:
    return (cell for group in table.groups for row in group.rows for cell in row.cells)


def _says(cell: TableCell) -> bool:
    """Whether a cell says more than that there is nothing; a mere verdict does not."""
    match cell:
        case Absent() | Badge():
            return False
        case MeasuredBesidePublished(here, published):
            return _says(here) or (published is not None and _says(published))
    return True


def _sentence(table: Table, words: Words) -> str:
    _ = words.gettext
    whys = {cell.reason for cell in _cells(table) if isinstance(cell, Absent)} - {DASH}
    if not whys:
        return _("{caption}: no entries.").format(caption=table.caption)
    reasons = ", ".join(sorted(whys))
    return _("{caption}: no entries ({reasons}).").format(caption=table.caption, reasons=reasons)
