"""All contenders and their distance from the deadline in one picture."""

from __future__ import annotations

import altair as alt

from wirelab.model.result import Cell
from wirelab.report.cell_table import CellTable
from wirelab.report.charts import theme
from wirelab.report.charts.theme import Row
from wirelab.report.context import Context, usable_value
from wirelab.report.document import Chart, LegendItem, Panel, text
from wirelab.words import numbers

_STATISTICS = ("p50", "p95", "p99", "max")
_ROW_HEIGHT = 34


def at_a_glance(context: Context, comparison: CellTable) -> Chart | None:
    """Median, p95, p99 and maximum of each contender on one line, a panel an operation."""
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
            "The bar runs from the median to the slowest call; marks stand at p50, p95 and p99 "
            "where the samples support them. The further left, the faster; what lies right of the "
            "deadline is late."
        )
    )
    legend = [
        LegendItem("p50", None, "circle"),
        LegendItem("p95", None, "square"),
        LegendItem("p99", None, "triangle"),
    ]
    if context.published is not None:
        caption += text(_(" Hollow marks are published figures of another machine."))
        legend.append(LegendItem(_("published"), None, "hollow"))
    return Chart(_("Latency at a glance"), caption, tuple(panels), tuple(legend))


def _panel(context: Context, comparison: CellTable, name: str) -> Panel | None:
    _ = context.words.gettext
    bars: list[Row] = []
    marks: list[Row] = []
    order: list[str] = []
    for cell in comparison.cells:
        known = _known(cell, name)
        if known:
            label = context.name(cell.contender)
            order.append(label)
            colour = theme.colour_of(context.colour(cell.contender))
            bars.append(
                {
                    "who": label,
                    "from": min(known.values()),
                    "to": max(known.values()),
                    "colour": colour,
                }
            )
            marks += [
                {"who": label, "x": value, "shape": _SHAPES[stat], "colour": colour, "own": True}
                for stat, value in known.items()
                if stat in _SHAPES
            ]
    published = _published(context, name, order)
    if not bars:
        return None
    deadline = comparison.scenario.operations[name].deadline
    word = context.words.called(name)
    limit = deadline / 1e6 if deadline is not None else None
    values = [v for bar in bars for v in (bar["from"], bar["to"])] + [m["x"] for m in published]
    low, high = theme.padded(values, limit)
    axis = alt.Axis(
        title=_("{operation} latency (ms, log scale)").format(operation=word),
        values=theme.round_steps(low, high),
        format="~r",
    )
    scale = alt.Scale(type="log", domain=[low, high], nice=False)
    x_axis = alt.X("x:Q", scale=scale, axis=axis)
    y_axis = alt.Y(
        "who:N",
        sort=order,
        axis=alt.Axis(
            title=None,
            domain=False,
            ticks=False,
            labelLimit=150,
            labelPadding=8,
            minExtent=_extent(order),
        ),
    )
    bar = (
        alt.Chart(theme.rows(bars))
        .mark_rule(strokeWidth=3, opacity=0.45)
        .encode(
            x=alt.X("from:Q", scale=scale, axis=axis),
            x2=alt.X2("to:Q"),
            y=y_axis,
            color=alt.Color("colour:N", scale=None),
        )
    )
    point = alt.Chart(theme.POINTS).encode(
        x=x_axis,
        y=y_axis,
        shape=alt.Shape("shape:N", scale=None),
        color=alt.Color("colour:N", scale=None),
    )
    own = point.transform_filter("datum.own").mark_point(filled=True, size=70, opacity=1)
    theirs = point.transform_filter("!datum.own").mark_point(filled=False, size=55, yOffset=9)
    layers: list[theme.Layer] = [bar, theirs, own]
    if limit is not None and deadline is not None:
        label = _("deadline {deadline}").format(deadline=numbers.duration(deadline))
        layers.append(theme.limit_line(limit, label, horizontal=False))
    return Panel(
        word,
        _("Median, p95, p99 and maximum of {operation} latency for each contender.").format(
            operation=word
        ),
        theme.finished(alt.layer(*layers), marks + published, height=_ROW_HEIGHT * len(order) + 24),
    )


_SHAPES = {"p50": "circle", "p95": "square", "p99": "triangle-up"}


def _extent(labels: list[str]) -> int:
    """Room for the longest label in whatever font the reader has; Korean letters are wide."""
    widths = [sum(12 if ord(letter) > 0x1100 else 7 for letter in label) for label in labels]
    return min(150, max(widths, default=0)) + 8


def _known(cell: Cell, name: str) -> dict[str, float]:
    return {
        stat: value
        for stat in _STATISTICS
        if (value := usable_value(cell, f"{name}.latency.{stat}")) is not None and value > 0
    }


def _published(context: Context, name: str, order: list[str]) -> list[Row]:
    """Published marks of the contenders that are drawn, and of those only the study has."""
    published = context.published
    if published is None:
        return []
    here = {context.participant(c).manifest.contender: context.name(c) for c in context.contenders}
    marks: list[Row] = []
    for key, contender in published.contenders.items():
        own = context.stand_ins[key]
        label = here.get(own)
        if label not in order:
            if own in here:
                continue
            label = contender.title.of(context.language)
        found = {s: published.figure(key, f"{name}.latency.{s}") for s in _SHAPES}
        if not any(found.values()):
            continue
        if label not in order:
            order.append(label)
        marks += [
            {"who": label, "x": float(v), "shape": _SHAPES[s], "colour": theme.MUTED, "own": False}
            for s, v in found.items()
            if v is not None
        ]
    return marks
