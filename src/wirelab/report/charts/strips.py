"""Points of several groups on one logarithmic axis: a line a group, a mark a contender."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from wirelab.report.charts import theme
from wirelab.report.charts.theme import Row
from wirelab.report.document import Panel

_LINE = 26


@dataclass(frozen=True)
class Mark:
    """A figure: on which line, where, in which colour (a number) and shape. ``floor`` marks are
    drawn as ticks: they are yardsticks."""

    line: str
    value: float
    colour: int | None
    shape: str = "circle"
    floor: bool = False


def strip(
    title: str, description: str, axis_title: str, marks: Sequence[Mark], lines: Sequence[str]
) -> Panel | None:
    """One panel; None where nothing can be drawn on a logarithmic axis."""
    known = [mark for mark in marks if mark.value > 0]
    if not known:
        return None
    low, high = theme.padded([mark.value for mark in known])
    x = alt.X(
        "x:Q",
        scale=alt.Scale(type="log", domain=[low, high], nice=False),
        axis=alt.Axis(title=axis_title, values=theme.round_steps(low, high), format="~s"),
    )
    y = alt.Y(
        "line:N",
        sort=list(lines),
        scale=alt.Scale(domain=list(lines)),
        axis=alt.Axis(title=None, domain=False, ticks=False, labelPadding=8, grid=True),
    )
    base = alt.Chart(theme.POINTS).encode(x=x, y=y, color=alt.Color("colour:N", scale=None))
    floors = base.transform_filter("datum.floor").mark_tick(thickness=2, size=_LINE - 8)
    points = (
        base.transform_filter("!datum.floor")
        .mark_point(filled=True, size=58, opacity=0.85)
        .encode(shape=alt.Shape("shape:N", scale=None))
    )
    drawn = alt.layer(floors, points)
    height = _LINE * len(lines) + 10
    return Panel(title, description, theme.finished(drawn, [_row(m) for m in known], height, 330))


def _row(mark: Mark) -> Row:
    return {
        "line": mark.line,
        "x": mark.value,
        "colour": theme.colour_of(mark.colour),
        "shape": theme.vega_shape(mark.shape),
        "floor": mark.floor,
    }
