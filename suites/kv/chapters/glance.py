"""The first screen: every client in one table."""

from __future__ import annotations

from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Block,
    Column,
    Paragraph,
    Row,
    RowGroup,
    Table,
    plain,
)
from wirelab.report.grid import Grid
from wirelab.report.sections import versions
from wirelab.report.sections.overview import state
from wirelab.report.tabulate import DASH, FigureColumn

_COLUMNS = (
    ("client", "s1-k200", FigureColumn("read.latency.p50")),
    ("client", "s1-k200", FigureColumn("read.latency.p99")),
    ("client-paced", "k200", FigureColumn("read.response.p99")),
    ("eight-nodes", "found-k200", FigureColumn("read.latency.p50")),
    ("asgi", "c5", FigureColumn("request.latency.p50")),
    ("asgi", "c5", FigureColumn("request.latency.p95")),
    ("serving", "single", FigureColumn("request.latency.p50")),
    ("serving", "single", FigureColumn("request.latency.p95")),
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
    names = [
        name
        for name in context.contenders
        if name in here and not context.participant(name).manifest.reference
    ]
    said = _(
        "One row a client, milliseconds. Figures of Aerospike's clients are their cost against a "
        "bench server, not the speed of a database. Who is faster is said further down, where "
        "intervals can tell them apart."
    )
    rows = []
    for name in names:
        cells = tuple(
            grid.shown(name, step, column) if grid.cell(name, step) else Absent(DASH)
            for grid, step, column in chosen
        )
        heads = [grid.head(name) for grid, _step, _column in chosen]
        head = next((head for head in heads if head.badge), heads[0])
        rows.append(Row(head, cells))
    columns = tuple(Column(_title(*entry), "ms") for entry in chosen)
    table = Table(_("At a glance"), (_("client"),), columns, (RowGroup(tuple(rows)),))
    return (*state(context), Paragraph(plain(said)), table, *versions.unavailable(context))


def _title(grid: Grid, step: str, column: FigureColumn) -> str:
    scenario = grid.scenarios[0].title.of(grid.context.language).partition(":")[0]
    return " · ".join((scenario, grid.step_title(step), column.metric.rpartition(".")[2]))
