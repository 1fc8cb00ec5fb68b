"""Figures by step of the load, or by mark within one: a line a contender, with their intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import altair as alt

from wirelab.model.result import Cell, Metric
from wirelab.report.cell_table import CellTable
from wirelab.report.charts import theme
from wirelab.report.charts.theme import Row
from wirelab.report.document import Chart, LegendItem, Panel, Text
from wirelab.report.loads import active_of, users_of
from wirelab.report.tabulate import FigureColumn, unit_of

Group = tuple[str, Sequence[str]]
"""A title, and the contenders drawn in one panel."""

_HEIGHT = 220


@dataclass(frozen=True)
class Derived:
    """A figure that follows from those of a cell, and its title; None where it may not be used."""

    title: str
    of: Callable[[Cell], Metric | None]


@dataclass(frozen=True)
class _Place:
    """A place on the axis along which lines go, with the cells and the metric that stand there."""

    at: float
    part: CellTable
    metric: str | Derived

    def figure(self, cell: Cell) -> Metric | None:
        """The figure of a cell, if it may be used."""
        metric = self.metric
        return cell.usable(metric) if isinstance(metric, str) else metric.of(cell)

    @property
    def unit(self) -> str:
        """The unit of its figures."""
        if isinstance(self.metric, str):
            return unit_of(self.part.cells, FigureColumn(self.metric))
        known = map(self.metric.of, self.part.cells)
        return next((figure.unit for figure in known if figure is not None), "")


@dataclass(frozen=True)
class _Axes:
    """Titles of both axes, the unit of the figures, and the places that lines go along."""

    along: str
    title: str
    unit: str
    places: tuple[float, ...]

    @property
    def upwards(self) -> str:
        """The figure with its unit."""
        return f"{self.title} ({self.unit})" if self.unit else self.title


def by_step(
    parts: CellTable,
    title: str,
    caption: Text,
    metric: str | Derived,
    groups: Sequence[Group],
    *,
    along: str | tuple[str, str] | None = None,
    active: bool = False,
) -> Chart | None:
    """A metric over the steps, a panel a group of contenders; panels share their scale.

    Lines go along the users of the steps (``active``: along those of them who send; ``along``:
    what they are called there), or ``along`` a parameter of theirs, of which the name and the title
    of the axis are given.
    """
    gettext = parts.context.words.gettext
    usual = gettext("active users") if active else gettext("users")
    name, axis = along if isinstance(along, tuple) else ("", along or usual)
    of_users = active_of if active else users_of
    places = [
        _Place(_parameter(part, name) if name else of_users(part), part, metric)
        for part in parts.by_step
    ]
    naming = parts.context.naming
    named = naming.title(metric) if isinstance(metric, str) else metric.title
    return _chart(places, title, caption, groups, along=axis, named=named)


def by_mark(
    part: CellTable,
    title: str,
    caption: Text,
    operation: str,
    groups: Sequence[Group],
    *,
    along: str,
) -> Chart | None:
    """Time of a step until so many of an operation were done, by their number."""
    marks = part.scenario.operations[operation].marks
    places = [_Place(mark, part, f"{operation}.elapsed.{mark}") for mark in marks]
    named = part.context.words.gettext("time of the step")
    return _chart(places, title, caption, groups, along=along, named=named)


def _parameter(part: CellTable, name: str) -> int:
    step = part.all_steps.get(part.step)
    return int(step.parameters[name]) if step else 0


def _chart(
    places: Sequence[_Place],
    title: str,
    caption: Text,
    groups: Sequence[Group],
    *,
    along: str,
    named: str,
) -> Chart | None:
    """The chart; None where no figure may be drawn, or they have one place."""
    drawn = {name: _points(places, contenders) for name, contenders in groups}
    points = [row for rows in drawn.values() for row in rows]
    values = [row[bound] for row in points for bound in ("low", "high")]
    if not values or len(places) < 2:
        return None
    unit = next((place.unit for place in places if place.unit), "")
    axes = _Axes(along, named, unit, tuple(place.at for place in places))
    parts = places[0].part
    panels = tuple(_panel(parts, name, axes, rows, values) for name, rows in drawn.items() if rows)
    seen = {row["who"] for row in points}
    return Chart(title, caption, panels, tuple(_legend(places, seen)))


def _legend(places: Sequence[_Place], seen: set[str]) -> list[LegendItem]:
    context = places[0].part.context
    here: Iterable[str] = dict.fromkeys(
        name for place in places for name in place.part.yardsticks_last
    )
    return [
        LegendItem(context.name(name), context.colour(name), theme.shape_of(context.colour(name)))
        for name in here
        if name in seen
    ]


def _points(places: Sequence[_Place], contenders: Sequence[str]) -> list[Row]:
    return [
        point
        for place in places
        for name in contenders
        if (found := place.part.cell(name)) is not None
        and (point := _point(place, found)) is not None
    ]


def _point(place: _Place, found: Cell) -> Row | None:
    """A figure and its interval; an invalid one is no result and is not drawn."""
    figure = place.figure(found)
    if figure is None or figure.value is None:
        return None
    low, high = figure.interval or (figure.value, figure.value)
    colour = place.part.context.colour(found.contender)
    return {
        "x": place.at,
        "y": figure.value,
        # Of times, whose axis begins above 0.
        "low": max(low, figure.value / 100) if figure.value > 0 else low,
        "high": high,
        "who": found.contender,
        "colour": theme.colour_of(colour),
        "shape": theme.vega_shape(theme.shape_of(colour)),
    }


def _panel(
    parts: CellTable, name: str, axes: _Axes, rows: list[Row], values: Sequence[float]
) -> Panel:
    axis = (
        theme.log_axis(axes.upwards, theme.padded(list(values)))
        if axes.unit == "ms"
        else alt.Y(
            "y:Q",
            scale=alt.Scale(domain=[min(0, *values), max(0, *values) * 1.05], nice=True),
            axis=alt.Axis(title=axes.upwards, tickCount=5),
        )
    )
    base = alt.Chart(theme.POINTS).encode(
        x=alt.X(
            "x:Q",
            scale=alt.Scale(domain=[0, max(axes.places) * 1.04], nice=False),
            axis=alt.Axis(title=axes.along, values=list(axes.places), grid=False),
        ),
        color=alt.Color("colour:N", scale=None),
        detail=[alt.Detail("who:N")],
    )
    line = base.mark_line(strokeWidth=1.8).encode(y=axis)
    spread = base.mark_rule(strokeWidth=1.2, opacity=0.7).encode(
        y=_of("low", axis), y2=alt.Y2("high:Q")
    )
    marks = base.mark_point(size=42, filled=True, opacity=1).encode(
        y=axis, shape=alt.Shape("shape:N", scale=None)
    )
    return Panel(
        name,
        parts.context.words.gettext("{metric} by {along}, one line for each contender.").format(
            metric=axes.title, along=axes.along
        ),
        theme.finished(alt.layer(line, spread, marks), rows, _HEIGHT, theme.SMALL),
    )


def _of(field: str, axis: alt.Y) -> alt.Y:
    """The same axis for another field."""
    other = axis.copy()
    other.shorthand = f"{field}:Q"
    return other
