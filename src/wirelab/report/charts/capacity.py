"""Probes of searches: the load of each, and whether it held, one line a contender."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from wirelab.model.capacity import Probe
from wirelab.model.result import Cell
from wirelab.report.cell_table import CellTable
from wirelab.report.charts import theme
from wirelab.report.charts.theme import Row
from wirelab.report.context import Context
from wirelab.report.document import Chart, LegendItem, Panel, plain

_ROW = 30


def probes(
    context: Context, comparison: CellTable, cells: Sequence[tuple[Cell, Sequence[Probe]]]
) -> Chart | None:
    """Loads across (logarithmic), contenders down; None without any probe."""
    _ = context.words.gettext
    points = [_point(context, own, probe) for own, judged in cells for probe in judged]
    capacity = comparison.scenario.capacity
    if not points or capacity is None:
        return None
    x = alt.X(
        "load:Q",
        scale=alt.Scale(type="log", domain=[capacity.lowest / 1.1, capacity.highest * 1.1]),
        axis=alt.Axis(title=capacity.parameter, tickCount=6),
    )
    base = alt.Chart(theme.POINTS).encode(
        x=x, y=alt.Y("who:N", axis=alt.Axis(title=None), sort=None)
    )
    held = base.transform_filter("datum.outcome == 'held'").mark_point(
        size=60, filled=True, opacity=0.85
    )
    failed = base.transform_filter("datum.outcome != 'held'").mark_point(
        size=60, shape="cross", filled=False, strokeWidth=1.4
    )
    colour = alt.Color("colour:N", scale=None)
    title = _("Probes: which loads held")
    height = max(90, _ROW * len({row["who"] for row in points}))
    panel = Panel(
        title,
        _("Every probe by its load: a filled mark held, a cross did not."),
        theme.finished(
            alt.layer(held.encode(color=colour), failed.encode(color=colour)), points, height
        ),
    )
    legend = (LegendItem(_("held"), None, "circle"), LegendItem(_("did not hold"), None, "hollow"))
    caption = _("A contender's capacity lies where its filled marks end.")
    return Chart(title, plain(caption), (panel,), legend)


def _point(context: Context, own: Cell, probe: Probe) -> Row:
    return {
        "load": probe.load,
        "who": context.name(own.contender),
        "outcome": probe.outcome,
        "colour": theme.colour_of(context.colour(own.contender)),
    }
