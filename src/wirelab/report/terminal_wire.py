"""Parts of the time of operations on a terminal: contenders down, the parts across."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from wirelab.model.result import Cell
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context, usable_value
from wirelab.report.sections.wire import PARTS, is_seen
from wirelab.report.tabulate import DASH
from wirelab.report.terminal_parts import FirstThatFits, Title
from wirelab.words import numbers

_STATISTICS = ("p50", "p95")


def tables(context: Context, comparison: CellTable) -> Iterator[RenderableType]:
    """A table of every operation that a witness saw."""
    for name in comparison.operations:
        if is_seen(comparison, name):
            shapes = [_table(context, comparison, name, _STATISTICS[:n]) for n in (2, 1)]
            yield Group(Title([_title(context, name)]), FirstThatFits(shapes))


def _title(context: Context, name: str) -> str:
    said = context.words.gettext("{op}: client, wire and server (ms)")
    return said.format(op=context.words.called(name))


def _table(context: Context, comparison: CellTable, name: str, statistics: Sequence[str]) -> Table:
    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    names = [context.name(cell.contender) for cell in comparison.cells]
    drawn.add_column("", min_width=max(map(cell_len, names)))
    keys = [f"{name}.wire.{part}.{stat}" for stat in statistics for part in PARTS]
    keys.append(f"{name}.wire.matched")
    columns = {key: [_shown(cell, key) for cell in comparison.cells] for key in keys}
    for key, column in columns.items():
        heading = context.naming.column_title(key)
        width = max(map(cell_len, [*heading.split(), *(shown.plain for shown in column)]))
        drawn.add_column(Text(heading), justify="right", min_width=width, max_width=width)
    for place, name_shown in enumerate(names):
        drawn.add_row(Text(name_shown), *(column[place] for column in columns.values()))
    return drawn


def _shown(cell: Cell, key: str) -> Text:
    value = usable_value(cell, key)
    if value is None:
        return Text(DASH, style="dim")
    unit = " %" if cell.metrics[key].unit == "%" else ""
    return Text(numbers.brief(value) + unit)
