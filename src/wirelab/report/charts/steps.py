"""Figures by step of the load: one line a contender, with their intervals."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from wirelab.model.result import Cell
from wirelab.report.cell_table import CellTable
from wirelab.report.charts import theme
from wirelab.report.charts.theme import Row
from wirelab.report.document import Chart, LegendItem, Panel, Text
from wirelab.report.loads import users_of
from wirelab.report.tabulate import FigureColumn, unit_of

Group = tuple[str, Sequence[str]]
"""A title, and the contenders drawn in one panel."""

_HEIGHT = 220


def by_step(
    parts: CellTable, title: str, caption: Text, metric: str, groups: Sequence[Group]
) -> Chart | None:
    """A metric over the steps, a panel a group of contenders; panels share their scale."""
    drawn = {name: _points(parts, metric, contenders) for name, contenders in groups}
    points = [row for rows in drawn.values() for row in rows]
    values = [row[bound] for row in points for bound in ("low", "high")]
    if not values or len(parts.steps) < 2:
        return None
    panels = tuple(
        _panel(parts, name, metric, rows, values) for name, rows in drawn.items() if rows
    )
    seen = {row["who"] for row in points}
    return Chart(title, caption, panels, tuple(_legend(parts, seen)))


def _legend(parts: CellTable, seen: set[str]) -> list[LegendItem]:
    context = parts.context
    return [
        LegendItem(context.name(name), context.colour(name), theme.shape_of(context.colour(name)))
        for name in parts.yardsticks_last
        if name in seen
    ]


def _points(parts: CellTable, metric: str, contenders: Sequence[str]) -> list[Row]:
    return [
        point
        for part in parts.by_step
        for name in contenders
        if (found := part.cell(name)) is not None
        and (point := _point(parts, users_of(part), found, metric)) is not None
    ]


def _point(parts: CellTable, users: int, found: Cell, metric: str) -> Row | None:
    """A figure and its interval; an invalid one is no result and is not drawn."""
    figure = found.usable(metric)
    if figure is None or figure.value is None:
        return None
    low, high = figure.interval or (figure.value, figure.value)
    colour = parts.context.colour(found.contender)
    shape = theme.shape_of(colour)
    return {
        "x": users,
        "y": figure.value,
        "low": max(low, figure.value / 100),
        "high": high,
        "who": found.contender,
        "colour": theme.colour_of(colour),
        "shape": theme.VEGA_SHAPES.get(shape, shape),
    }


def _panel(
    parts: CellTable, name: str, metric: str, rows: list[Row], values: Sequence[float]
) -> Panel:
    words = parts.context.words
    unit = unit_of((cell for part in parts.by_step for cell in part.cells), FigureColumn(metric))
    title = parts.context.naming.title(metric)
    titled = f"{title} ({unit})" if unit else title
    logarithmic = unit == "ms"
    axis = (
        theme.log_axis(titled, theme.padded(list(values)))
        if logarithmic
        else alt.Y(
            "y:Q",
            scale=alt.Scale(domain=[0, max(values) * 1.05], nice=True),
            axis=alt.Axis(title=titled, tickCount=5),
        )
    )
    users = [users_of(part) for part in parts.by_step]
    base = alt.Chart(theme.POINTS).encode(
        x=alt.X(
            "x:Q",
            scale=alt.Scale(domain=[0, max(users) * 1.04], nice=False),
            axis=alt.Axis(title=words.gettext("users"), values=users, grid=False),
        ),
        color=alt.Color("colour:N", scale=None),
        detail=["who:N"],
    )
    line = base.mark_line(strokeWidth=1.8).encode(y=axis)
    spread = base.mark_rule(strokeWidth=1.2, opacity=0.7).encode(y=_of("low", axis), y2="high:Q")
    marks = base.mark_point(size=42, filled=True, opacity=1).encode(
        y=axis, shape=alt.Shape("shape:N", scale=None)
    )
    return Panel(
        name,
        words.gettext("{metric} by number of users, one line for each contender.").format(
            metric=title
        ),
        theme.finished(alt.layer(line, spread, marks), rows, _HEIGHT, theme.SMALL),
    )


def _of(field: str, axis: alt.Y) -> alt.Y:
    """The same axis for another field."""
    other = axis.copy()
    other.shorthand = f"{field}:Q"
    return other
