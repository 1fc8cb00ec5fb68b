"""Distributions as percentile curves with an axis that spreads the tail."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from wirelab.model.result import Cell, Curve, Verdict
from wirelab.report.cell_table import CellTable
from wirelab.report.charts import theme
from wirelab.report.charts.theme import Row
from wirelab.report.context import Context
from wirelab.report.document import Chart, LegendItem, Panel, text
from wirelab.words import numbers

_MARKED = (50.0, 90.0, 95.0, 99.0, 99.9)
_TICKS = (1.0, 2.0, 10.0, 20.0, 100.0, 1000.0, 10000.0, 100000.0)
_TICK_LABELS = (
    "{1: '0', 2: 'p50', 10: 'p90', 20: 'p95', 100: 'p99', 1000: 'p99.9', 10000: 'p99.99', "
    "100000: 'p99.999'}[datum.value]"
)
_FLOOR_MS = 0.001
"""Shorter times are drawn here: a logarithmic axis has no zero."""

_USUAL_FROM = 100 / 95


def latency_distribution(context: Context, comparison: CellTable) -> Chart | None:
    """Percentile curves of service and response time, a panel an operation."""
    _ = context.words.gettext
    panels = [
        panel
        for name in comparison.operations
        if (panel := _latency_panel(context, comparison, name)) is not None
    ]
    if not panels:
        return None
    caption = text(
        _(
            "The further right, the rarer: one call in 2 is slower than p50, one in 100 slower "
            "than p99. A curve that stays flat is predictable, a curve that climbs has a tail. "
            "Solid is **service time**, dotted **response time** from the intended tick; where "
            "they part, calls started late. Curves end at the slowest call seen."
        )
    )
    legend = [*contender_legend(context, comparison), *_time_legend(context)]
    return Chart(_("Latency distribution"), caption, tuple(panels), tuple(legend))


def drift_distribution(context: Context, comparison: CellTable) -> Chart | None:
    """Percentile curves of the drift of ticks, with its target."""
    _ = context.words.gettext
    curves: list[Row] = []
    for cell in comparison.cells:
        drift = context.drawn(cell).drift
        if drift is not None:
            curves += _points(context, cell, drift, "service")
    if not curves:
        return None
    target = comparison.scenario.drift_target
    label = _("target p95 < {target}").format(target=numbers.duration(target)) if target else ""
    limit = (target / 1e6, label) if target else None
    panel = Panel(
        _("tick drift"),
        _("Percentile curves of tick drift in milliseconds, one for each contender."),
        _spec(curves, _("drift (ms)"), _("percentile"), limit),
    )
    caption = text(
        _(
            "How late ticks began. The whole curve left of p95 should stay below the target line. "
            "Jumps to the upper right are single late ticks: pauses, or a processor taken away."
        )
    )
    return Chart(
        _("Drift distribution"), caption, (panel,), tuple(contender_legend(context, comparison))
    )


def contender_legend(context: Context, comparison: CellTable) -> list[LegendItem]:
    """Colour and mark of every contender that is drawn; an invalid cell is called so."""
    return [
        LegendItem(
            _label(context, cell),
            context.colour(cell.contender),
            theme.shape_of(context.colour(cell.contender)),
        )
        for cell in comparison.cells
    ]


def _label(context: Context, cell: Cell) -> str:
    name = context.name(cell.contender)
    if cell.verdict is not Verdict.INVALID:
        return name
    return f"{name} ({context.words.gettext('invalid')})"


def _time_legend(context: Context) -> list[LegendItem]:
    _ = context.words.gettext
    return [
        LegendItem(_("service time"), None, "line"),
        LegendItem(_("response time"), None, "dashed"),
    ]


def _latency_panel(context: Context, comparison: CellTable, name: str) -> Panel | None:
    _ = context.words.gettext
    curves: list[Row] = []
    for cell in comparison.cells:
        drawn = context.drawn(cell)
        for kind, found in (("service", drawn.latency), ("response", drawn.response)):
            if name in found:
                curves += _points(context, cell, found[name], kind)
    if not curves:
        return None
    deadline = comparison.scenario.operations[name].deadline
    limit = None
    if deadline is not None:
        label = _("deadline {deadline}").format(deadline=numbers.duration(deadline))
        limit = (deadline / 1e6, label)
    word = context.words.called(name)
    return Panel(
        word,
        _("Percentile curves of {operation} latency in milliseconds, log scale.").format(
            operation=word
        ),
        _spec(curves, _("{operation} (ms)").format(operation=word), _("percentile"), limit),
    )


def _points(context: Context, cell: Cell, curve: Curve, kind: str) -> list[Row]:
    """The curve by 1 / (1 - p): equal steps for each factor of rarity."""
    colour = context.colour(cell.contender)
    points: list[Row] = []
    inner = [p for p in curve.percentiles if p < 100]
    end = 100 / (100 - max(inner, default=0.0)) * 2
    for percentile, value in zip(curve.percentiles, curve.values, strict=True):
        rarity = 100 / (100 - percentile) if percentile < 100 else end
        marked = any(abs(percentile - mark) < 1e-9 for mark in _MARKED) or percentile == 100
        points.append(
            {
                "x": rarity,
                "y": max(value, _FLOOR_MS),
                "who": cell.contender,
                "colour": theme.colour_of(colour),
                "shape": theme.vega_shape(theme.shape_of(colour)),
                "kind": kind,
                "marked": marked and kind == "service",
            }
        )
    return points


def _spec(
    curves: Sequence[Row], y_title: str, x_title: str, limit: tuple[float, str] | None
) -> dict[str, object]:
    most = max(row["x"] for row in curves)
    # The luckiest few (left of p5) may be near zero and would take half of a logarithmic axis.
    usual = [row["y"] for row in curves if row["x"] >= _USUAL_FROM]
    low, high = theme.padded(usual, limit[0] if limit else None)
    base = alt.Chart(theme.POINTS).encode(
        x=alt.X(
            "x:Q",
            scale=alt.Scale(type="log", domain=[1, most * 1.15], nice=False),
            axis=alt.Axis(
                title=x_title, values=[t for t in _TICKS if t <= most], labelExpr=_TICK_LABELS
            ),
        ),
        y=theme.log_axis(y_title, (low, high * (1.6 if limit else 1.0))),
        color=alt.Color("colour:N", scale=None),
        detail=[alt.Detail("who:N"), alt.Detail("kind:N")],
    )
    service = base.transform_filter("datum.kind == 'service'").mark_line(strokeWidth=2, clip=True)
    response = base.transform_filter("datum.kind == 'response'").mark_line(
        strokeWidth=1.5, strokeDash=[2, 3], clip=True
    )
    marks = base.transform_filter("datum.marked").mark_point(size=36, filled=True, opacity=1)
    layers: list[theme.Layer] = [
        response,
        service,
        marks.encode(shape=alt.Shape("shape:N", scale=None)),
    ]
    if limit is not None:
        layers.append(theme.limit_line(*limit))
    return theme.finished(alt.layer(*layers), curves)
