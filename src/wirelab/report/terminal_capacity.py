"""Capacities on a terminal: one line a search."""

from __future__ import annotations

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from wirelab.gates.brackets import why
from wirelab.model.scenario import Kind
from wirelab.report.cell_table import CellTable, comparisons_of
from wirelab.report.context import Context
from wirelab.report.searched import load_in_words, rank_of, searched_of
from wirelab.report.tabulate import DASH
from wirelab.report.terminal_parts import Title


def tables(context: Context) -> list[RenderableType]:
    """One of every comparison of capacities."""
    return [_table(context, comparison) for comparison in comparisons_of(context, Kind.CAPACITY)]


def _table(context: Context, comparison: CellTable) -> RenderableType:
    _ = context.words.gettext
    scenario = comparison.scenario
    parts = (
        context.result.suite_title.of(context.language),
        scenario.title.of(context.language),
        context.result.profile,
        comparison.mode_title,
    )
    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    drawn.add_column("")
    drawn.add_column(Text(f"{_('held')} ({load_in_words(context, scenario)})"), justify="right")
    drawn.add_column(_("did not hold"), justify="right")
    drawn.add_column(_("why it did not"))
    drawn.add_column(_("probes"), justify="right")
    for one in searched_of(comparison):
        for search in one.found.searches:
            held = Text(DASH if search.verified is None else f"{search.verified:,}", style="bold")
            if search.verified is not None and search.is_at_least:
                held = Text(_("at least {verified}").format(verified=held.plain), style="bold")
            rank = rank_of(comparison, one.cell)
            held.append(f" #{rank}" if rank else "", style="dim")
            drawn.add_row(
                Text(context.name(one.cell.contender)),
                held,
                Text(DASH if search.failed is None else f"{search.failed:,}"),
                Text(why(search, context.words), style="dim"),
                Text(str(len(search.probes))),
            )
    return Group(Title(parts), drawn)
