"""Parts of operations at percentiles of their service time, as stacked bars."""

from __future__ import annotations

import altair as alt

from wirelab.model.result import Cell, Split
from wirelab.report.cell_table import CellTable
from wirelab.report.charts import theme
from wirelab.report.charts.theme import Row
from wirelab.report.context import Context
from wirelab.report.document import Chart, LegendItem, Panel, text
from wirelab.stats import percentiles
from wirelab.words import numbers

_LINE = 20
_COLOURS = {"before": 5, "server": 7, "after": 4}
"""Parts from left to right, each with its number in the palette."""


def split_by_percentile(context: Context, comparison: CellTable) -> Chart | None:
    """A bar a contender and percentile, a panel an operation."""
    _ = context.words.gettext
    panels = [
        panel
        for name in comparison.operations
        if (panel := _panel(context, comparison, name)) is not None
    ]
    if not panels:
        return None
    caption = text(
        _(
            "Each bar is made of the operations around a percentile of the service time, and its "
            "parts add up to it. What grows from p50 to p99 is what makes the tail."
        )
    )
    named = {
        "before": _("caller to wire"),
        "server": _("wire to wire"),
        "after": _("wire to caller"),
    }
    legend = [LegendItem(named[part], colour, "square") for part, colour in _COLOURS.items()]
    return Chart(_("What operations are made of"), caption, tuple(panels), tuple(legend))


def _panel(context: Context, comparison: CellTable, name: str) -> Panel | None:
    _ = context.words.gettext
    rows = [
        row
        for cell in comparison.cells
        if (made_of := context.drawn(cell).split.get(name)) is not None
        for row in _bars(context, cell, made_of)
    ]
    if not rows:
        return None
    word = context.words.called(name)
    return Panel(
        word,
        _("Parts of {operation} operations in milliseconds, by percentile.").format(operation=word),
        _spec(rows, _("{operation} (ms)").format(operation=word)),
    )


def _bars(context: Context, cell: Cell, made_of: Split) -> list[Row]:
    rows: list[Row] = []
    for place, level in enumerate(made_of.percentiles):
        reached = 0.0
        for part, colour in _COLOURS.items():
            since, reached = reached, reached + getattr(made_of, part)[place]
            rows.append(
                {
                    "line": f"{context.name(cell.contender)} · {percentiles.label(level)}",
                    "x": since,
                    "x2": reached,
                    "colour": theme.colour_of(colour),
                    "whole": numbers.brief(reached) if part == "after" else "",
                }
            )
    return rows


def _spec(rows: list[Row], title: str) -> dict[str, object]:
    lines = list(dict.fromkeys(row["line"] for row in rows))
    most = max(row["x2"] for row in rows)
    y = alt.Y(
        "line:N",
        sort=lines,
        axis=alt.Axis(title=None, domain=False, ticks=False, labelPadding=8, labelLimit=260),
    )
    scale = alt.Scale(domain=[0, most * 1.12], nice=False)
    axis = alt.Axis(title=title, tickCount=5, grid=True)
    base = alt.Chart(theme.POINTS).encode(y=y)
    bars = base.mark_bar(height=_LINE - 7).encode(
        x=alt.X("x:Q", scale=scale, axis=axis),
        x2=alt.X2("x2:Q"),
        color=alt.Color("colour:N", scale=None),
    )
    sums = base.mark_text(align="left", dx=4, fontSize=11, color=theme.INK).encode(
        x=alt.X("x2:Q", scale=scale, axis=axis), text=alt.Text("whole:N")
    )
    return theme.finished(alt.layer(bars, sums), rows, _LINE * len(lines) + 10)
