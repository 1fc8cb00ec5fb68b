"""Contenders apart by what their echo means, and rows of tables of a scenario's grid."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.report.context import Context
from wirelab.report.document import Column, Plain, RowGroup, Table
from wirelab.report.grid import Grid
from wirelab.report.tabulate import FigureColumn, notes_for

ELAPSED = "step.elapsed"


def mode_of(context: Context, contender: str) -> str:
    """What "echo" means with a contender."""
    return context.participant(contender).manifest.mode


def by_mode(context: Context, names: Sequence[str]) -> dict[str, list[str]]:
    """Contenders by mode, direct ones first."""
    modes = sorted({mode_of(context, name) for name in names}, key=lambda m: (m != "direct", m))
    return {mode: [n for n in names if mode_of(context, n) == mode] for mode in modes}


def row(grid: Grid, name: str, column: FigureColumn) -> tuple[Plain, ...]:
    """A figure of a contender in every step."""
    return tuple(grid.shown(name, step, column) for step in grid.steps)


def sheet(
    context: Context, caption: str, titles: Sequence[str], groups: Sequence[RowGroup]
) -> Table:
    """Contenders with several rows each, a column a step."""
    stub = (context.words.gettext("contender"), context.words.gettext("figures"))
    columns = tuple(Column(title) for title in titles)
    return Table(caption, stub, columns, tuple(groups), notes_for(context, groups))
