"""Work done in the time that was planned for it."""

from __future__ import annotations

from wirelab.report.by_contender import by_contender
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import Block, Bullets, Section
from wirelab.report.load import load_text
from wirelab.report.tabulate import FigureColumn

_FIGURES = ("rate", "attainment", "miss.count", "error.count")


def throughput(context: Context, comparison: CellTable) -> Section:
    """Rate of every operation against its target, with misses and errors."""
    _ = context.words.gettext
    load = load_text(context, comparison.scenario)
    columns = [
        FigureColumn(f"{name}.{figure}") for name in comparison.operations for figure in _FIGURES
    ]
    caption, remarks = load.rates(comparison)
    blocks: list[Block | Section] = [
        *load.targets(comparison.operations),
        by_contender(context, comparison, caption, columns),
        *([Bullets(tuple(remarks))] if remarks else []),
    ]
    return Section(_("Throughput"), "throughput", tuple(blocks))
