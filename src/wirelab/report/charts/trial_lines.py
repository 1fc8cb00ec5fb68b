"""Points, axes and warm-up of the charts that draw trials over time."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence

import altair as alt

from wirelab.cells.flow import IN, LOOPBACK, OUT, RATE
from wirelab.cells.timelines import UNDER_WAY
from wirelab.model.result import Cell, Timeline
from wirelab.report.cell_table import CellTable
from wirelab.report.charts import theme
from wirelab.report.charts.distribution import contender_legend
from wirelab.report.charts.theme import Row
from wirelab.report.context import Context
from wirelab.report.document import LegendItem
from wirelab.report.loads import measure_of

_MOST_POINTS = 120
"""Most points of one line: a panel is 250 pixels wide."""

_COMBINED: dict[str, Callable[[Sequence[float]], float]] = {
    **dict.fromkeys(("p50", UNDER_WAY), statistics.median),
    **dict.fromkeys((RATE, IN, OUT, LOOPBACK), statistics.fmean),
}
"""Ways to make one value of those of a step; of all others the highest stands: no spike is lost."""

TimelinesOf = Callable[[Cell], Sequence[Timeline]]


def base(context: Context, lines: Sequence[Row], y_axis: alt.Y) -> alt.Chart:
    """Lines of trials in the colours of their contenders, without a mark yet."""
    return alt.Chart(theme.POINTS).encode(
        x=seconds_axis(context, lines),
        y=y_axis,
        detail=[alt.Detail("trial:N"), alt.Detail("kind:N"), alt.Detail("who:N")],
        color=alt.Color("colour:N", scale=None),
    )


def legend(context: Context, comparison: CellTable) -> tuple[LegendItem, ...]:
    """The colour of each contender's lines."""
    contenders = contender_legend(context, comparison)
    return tuple(LegendItem(one.label, one.colour, "line") for one in contenders)


def by_contender(
    context: Context, comparison: CellTable, timelines: TimelinesOf, kinds: Sequence[str]
) -> list[Row]:
    """Points of the named values of every contender, each in its colour."""
    return [
        {**row, "who": cell.contender, "colour": theme.colour_of(context.colour(cell.contender))}
        for cell in comparison.cells
        for row in rows_of(timelines(cell), kinds)
    ]


def rows_of(timelines: Sequence[Timeline], kinds: Sequence[str]) -> list[Row]:
    """Points of the named values; a step that holds nothing has none."""
    return [
        {"x": second, "y": value, "trial": timeline.trial, "kind": kind}
        for timeline in timelines
        for kind in kinds
        for second, value in _thinned(timeline.seconds, timeline.values.get(kind, []), kind)
        if value is not None
    ]


def _thinned(
    seconds: Sequence[float], values: Sequence[float | None], kind: str
) -> Iterator[tuple[float, float | None]]:
    """The points of a line, no more than ``_MOST_POINTS``."""
    step = -(-len(values) // _MOST_POINTS) or 1
    combine = _COMBINED.get(kind, max)
    for begin in range(0, len(values), step):
        known = [value for value in values[begin : begin + step] if value is not None]
        yield seconds[begin], combine(known) if known else None


def opacity(lines: Sequence[Row]) -> float:
    """The more trials lie on each other, the fainter each is."""
    return max(0.3, 0.95 - 0.1 * len({(row.get("who"), row["trial"]) for row in lines}) / 2)


def seconds_axis(context: Context, lines: Sequence[Row]) -> alt.X:
    """The axis of time, up to the last point."""
    _ = context.words.gettext
    last = max(row["x"] for row in lines)
    return alt.X(
        "x:Q",
        scale=alt.Scale(domain=[0, last], nice=False),
        axis=alt.Axis(title=_("seconds since tick 0"), tickCount=5, grid=False),
    )


def warmup(context: Context, comparison: CellTable) -> list[alt.Chart]:
    """The seconds that are in no figure."""
    measure = measure_of(context, comparison.scenario)
    if measure is None or not measure.warmup or comparison.scenario.steps:
        return []
    end = measure.warmup * comparison.scenario.period / 1e9
    data = theme.rows([{"from": 0, "to": end}])
    shade = (
        alt.Chart(data)
        .mark_rect(color=theme.SHADE, opacity=1)
        .encode(x=alt.X("from:Q"), x2=alt.X2("to:Q"))
    )
    return [shade]
