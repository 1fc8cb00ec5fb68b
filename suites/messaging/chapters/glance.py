"""The first screen: every contender in one table, apart by what its echo means."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Block,
    Column,
    Head,
    Paragraph,
    Plain,
    Row,
    RowGroup,
    Table,
    plain,
)
from wirelab.report.grid import Grid
from wirelab.report.sections import versions
from wirelab.report.sections.overview import state
from wirelab.report.tabulate import DASH, FigureColumn

from .cells import ELAPSED, by_mode

_COLUMNS = (
    ("transfer", "cold", FigureColumn(ELAPSED)),
    ("transfer-steady", "steady", FigureColumn("echo.latency.p50", factor=1000, unit="µs")),
    ("transfer-steady", "steady", FigureColumn("echo.latency.p99", factor=1000, unit="µs")),
    ("echo-paced", "size-1000", FigureColumn("echo.response.p99")),
    ("broadcast", "c100-m10", FigureColumn(ELAPSED)),
    ("broadcast", "c300-m10", FigureColumn(ELAPSED)),
    ("connect", "c100", FigureColumn("connect.latency.p50")),
    ("capacity", "", FigureColumn("capacity.verified")),
)
"""Scenario, step, and the figure of it that stands for it here."""


def glance(context: Context) -> tuple[Block, ...] | None:
    """None for a run with none of these scenarios: the usual first screen tells more of it."""
    _ = context.words.gettext
    grids = {name: Grid.of(context, name) for name, _step, _column in _COLUMNS}
    chosen = [
        (grid, step, column)
        for name, step, column in _COLUMNS
        if (grid := grids[name]) is not None and any(s == step for _name, s in grid.cells)
    ]
    if not chosen:
        return None
    here = {name for grid, _step, _column in chosen for name in grid.contenders}
    names = [name for name in context.contenders if name in here]
    said = _(
        "One row a contender, apart by what its echo means; figures are of 1,000 bytes. Who is "
        "faster is said further down, where intervals can tell them apart."
    )
    groups = [
        RowGroup(
            tuple(Row(_head(context, chosen, name), _cells(chosen, name)) for name in of_mode),
            Head(mode),
        )
        for mode, of_mode in by_mode(context, names).items()
    ]
    columns = tuple(Column(title, unit) for title, unit in _titles(chosen))
    table = Table(_("At a glance"), ("", _("contender")), columns, tuple(groups))
    return (*state(context), Paragraph(plain(said)), table, *versions.unavailable(context))


def _titles(chosen: Sequence[tuple[Grid, str, FigureColumn]]) -> list[tuple[str, str]]:
    titles = []
    for grid, step, column in chosen:
        words = [grid.scenarios[0].title.of(grid.context.language).partition(":")[0]]
        if step:
            words.append(grid.step_title(step))
        part = column.metric.rpartition(".")[2]
        if part.startswith("p"):
            words.append(part)
        unit = column.unit or {"elapsed": "s", "verified": ""}.get(part, "ms")
        titles.append((" · ".join(words), unit))
    return titles


def _head(context: Context, chosen: Sequence[tuple[Grid, str, FigureColumn]], name: str) -> Head:
    heads = [grid.head(name) for grid, _step, _column in chosen]
    badge = next((head.badge for head in heads if head.badge), None)
    return Head(context.name(name), badge, context.colour(name))


def _cells(chosen: Sequence[tuple[Grid, str, FigureColumn]], name: str) -> tuple[Plain, ...]:
    return tuple(
        grid.shown(name, step, column) if grid.cell(name, step) else Absent(DASH)
        for grid, step, column in chosen
    )
