"""Figures that are counted, not measured, by a number: a line each, without intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt

from wirelab.report.charts import theme
from wirelab.report.charts.theme import Row
from wirelab.report.document import Chart, LegendItem, Panel, Text


def counted(
    title: str,
    caption: Text,
    *,
    panel: tuple[str, str],
    axes: tuple[str, str],
    places: Sequence[int],
    lines: Mapping[str, Sequence[int]],
) -> Chart | None:
    """Counts at each place; None where one place is no line.

    ``panel``: its title and its description; ``axes``: the titles of both, along and upwards.
    """
    if len(places) < 2:
        return None
    rows: list[Row] = [
        {
            "x": at,
            "y": count,
            "who": name,
            "colour": theme.colour_of(number),
            "shape": theme.vega_shape(theme.shape_of(number)),
        }
        for number, (name, counts) in enumerate(lines.items())
        for at, count in zip(places, counts, strict=True)
    ]
    legend = tuple(
        LegendItem(name, number, theme.shape_of(number)) for number, name in enumerate(lines)
    )
    said, described = panel
    return Chart(title, caption, (Panel(said, described, _spec(rows, places, axes)),), legend)


def _spec(rows: list[Row], places: Sequence[int], axes: tuple[str, str]) -> dict[str, object]:
    along, upwards = axes
    base = alt.Chart(theme.POINTS).encode(
        x=alt.X(
            "x:Q",
            scale=alt.Scale(domain=[0, max(places) * 1.04], nice=False),
            axis=alt.Axis(title=along, values=list(places), grid=False),
        ),
        y=alt.Y("y:Q", axis=alt.Axis(title=upwards, tickCount=5)),
        color=alt.Color("colour:N", scale=None),
        detail=[alt.Detail("who:N")],
    )
    line = base.mark_line(strokeWidth=1.8)
    marks = base.mark_point(size=42, filled=True, opacity=1).encode(
        shape=alt.Shape("shape:N", scale=None)
    )
    return theme.finished(alt.layer(line, marks), rows)
