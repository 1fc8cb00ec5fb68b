"""Charts of a table with several modes: one for each, since nobody compares across them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import Chart


def by_mode(
    draw: Callable[[Context, CellTable], Chart | None], context: Context, comparison: CellTable
) -> list[Chart]:
    """The charts that ``draw`` makes, each named by its mode, if any, where there are several."""
    parts = comparison.by_mode
    drawn = [(part.mode_title, draw(context, part)) for part in parts]
    return [
        replace(chart, title=f"{chart.title} · {mode}") if mode and len(parts) > 1 else chart
        for mode, chart in drawn
        if chart is not None
    ]
