"""Closed loops on a terminal: contenders down, steps across, a figure of each with its rank."""

from __future__ import annotations

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from wirelab.model.result import Verdict
from wirelab.report.cell_table import CellTable
from wirelab.report.closed import ELAPSED, groups, in_milliseconds, titles, told_by
from wirelab.report.context import Context
from wirelab.report.tabulate import DASH, FigureColumn, unit_of, why_absent
from wirelab.report.terminal_parts import Title, with_choices
from wirelab.report.underway import is_underway, told
from wirelab.words import numbers


def tables(context: Context) -> list[RenderableType]:
    """A table of every closed loop, and what its marks mean."""
    found = with_choices(groups(context))
    if not found:
        return []
    _ = context.words.gettext
    said = _("  #1 best; = shared: not told apart. ( ) invalid by the checks.")
    if all(told_by(parts.scenario) == ELAPSED for parts in found):
        said = _(
            "  Time of each step. #1 fastest; = shared: not told apart. ( ) invalid by the checks."
        )
    return [Group(*(_table(context, parts) for parts in found), Text(said, style="dim"))]


def so_far(context: Context) -> RenderableType | None:
    """The first of them, for a run that still goes on."""
    found = with_choices(groups(context))
    return _table(context, found[0]) if found else None


def _table(context: Context, parts: CellTable) -> RenderableType:
    metric = told_by(parts.scenario)
    underway = is_underway(cell for part in parts.by_step for cell in part.cells)
    drawn = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    drawn.add_column("", max_width=24, overflow="fold")
    if underway:
        drawn.add_column(context.words.gettext("trials"))
    units = [_unit(part, metric) for part in parts.by_step]
    for part, (_factor, unit) in zip(parts.by_step, units, strict=True):
        drawn.add_column(Text(f"{part.title}\n{unit}"), justify="right")
    for name in parts.yardsticks_last:
        shown = (
            _shown(context, part, name, metric, factor, underway=underway)
            for part, (factor, _unit) in zip(parts.by_step, units, strict=True)
        )
        done = [Text(_done(parts, name))] if underway else []
        drawn.add_row(Text(context.name(name)), *done, *shown)
    names = [context.result.suite_title.of(context.language), *titles(parts)]
    if metric != ELAPSED:
        names.append(context.naming.short_title(metric))
    return Group(Title(names), drawn)


def _done(parts: CellTable, name: str) -> str:
    """Trials done of those planned; all steps share them."""
    cells = (part.cell(name) for part in parts.by_step)
    return next((told(cell) for cell in cells if cell is not None), DASH)


def _unit(part: CellTable, metric: str) -> tuple[float, str]:
    """Factor and unit of a column."""
    if metric != ELAPSED:
        return 1.0, unit_of(part.cells, FigureColumn(metric))
    return (1e3, "ms") if in_milliseconds(part.cells, metric) else (1.0, "s")


def _shown(
    context: Context, part: CellTable, name: str, metric: str, factor: float, *, underway: bool
) -> Text:
    """``1.82 #1=``; in parentheses where the cell is invalid. Without a judgement while
    ``underway``."""
    cell = part.cell(name)
    if cell is None:
        return Text(DASH, style="dim")
    found = cell.metrics.get(metric)
    if found is None or found.value is None:
        if underway:
            return Text(DASH, style="dim")
        return Text(why_absent(found.unsupported if found else None, context.words), style="dim")
    number = numbers.brief(found.value * factor, digits=3)
    if found.at_least:
        number = numbers.at_least(number)
    if underway:
        return Text(number)
    if found.verdict is Verdict.INVALID:
        return Text(f"({number})", style="red")
    rank = part.rank(cell, metric)
    first = rank in ("1", "1=")
    drawn = Text(number, style="bold" if first else "")
    drawn.append(f" #{rank}" if rank else "", style="yellow" if first else "dim")
    return drawn
