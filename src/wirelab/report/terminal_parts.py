"""Parts of what a terminal shows: titles that stay whole, tables that fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from wirelab.report.cell_table import CellTable

_AMPLE = 1000


def with_choices(tables: Sequence[CellTable]) -> list[CellTable]:
    """The tables in which there is somebody to choose; all, where nobody but yardsticks is."""
    found = [one for one in tables if not set(one.contenders) <= set(one.context.references)]
    return found or list(tables)


class Title:
    """The names of what a table compares, on as few lines as hold them; none of them is broken."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = [name for name in names if name]

    def lines(self, width: int) -> list[str]:
        """The title for a terminal of a width."""
        lines: list[str] = []
        for name in self._names:
            longer = f"{lines[-1]} · {name}" if lines else name
            if lines and cell_len(longer) <= width:
                lines[-1] = longer
            else:
                lines.append(name)
        return lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Bold, above a table."""
        yield from (Text(line, style="bold") for line in self.lines(options.max_width))


class FirstThatFits:
    """The first of some tables that fits the terminal with every word whole; else the last."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables = tables

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """One of them."""
        fitting = (table for table in self._tables if _fits(table, console, options))
        yield next(fitting, self._tables[-1])


def _fits(table: Table, console: Console, options: ConsoleOptions) -> bool:
    # With ample room a table measures what its longest words need.
    ample = options.update(max_width=_AMPLE)
    if Measurement.get(console, ample, table).minimum > options.max_width:
        return False
    # Columns that have a least width may be given more than there is: their lines would be cut.
    lines = Segment.split_lines(console.render(table, options))
    return all(Segment.get_line_length(line) <= options.max_width for line in lines)
