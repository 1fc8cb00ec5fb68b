"""Look of charts: one size of panel, one colour a contender, quiet axes.

Colours are those of Okabe and Ito, which remain apart for all common kinds of colour
blindness, ordered by contrast on white; contenders also differ by the shape of their marks.
Specifications carry these fixed colours; a form may replace them (HTML does, in dark mode).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import altair as alt
from altair.utils.schemapi import disable_debug_mode

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#6F4E37", "#7F7F7F")
SHAPES: tuple[Literal["circle", "square", "triangle", "diamond"], ...] = (
    "circle",
    "square",
    "triangle",
    "diamond",
)
_VEGA_SHAPES = {"triangle": "triangle-up"}

INK = "#24292F"
MUTED = "#6E7781"
GRID = "#E3E7EB"
LIMIT = "#B42318"
SHADE = "#EEF1F4"

WIDTH, HEIGHT = 400, 230
SMALL = 250
"""Width of a panel of which three stand side by side."""

_FONT = "system-ui, sans-serif"

Row = dict[str, Any]
Layer = alt.Chart | alt.LayerChart | alt.FacetChart


def colour_of(number: int | None) -> str:
    """The colour of a contender by its number; neutral for None."""
    return MUTED if number is None else PALETTE[number % len(PALETTE)]


def shape_of(number: int) -> Literal["circle", "square", "triangle", "diamond"]:
    """The mark of a contender by its number: those that share a colour differ in it."""
    return SHAPES[(number + number // len(PALETTE)) % len(SHAPES)]


def vega_shape(shape: str) -> str:
    """Vega's name for a mark."""
    return _VEGA_SHAPES.get(shape, shape)


POINTS = alt.NamedData(name="points")
"""The data of a panel. Named, because inline rows are checked one by one against a schema."""

# Each part of a chart is held against a schema when it is made, to find mistakes of the code: a
# fifth of the time that a report takes. Tests hold every kind of panel against it, whole.
disable_debug_mode()


_VIEW = {"stroke": None}
_AXES = {
    "labelColor": INK,
    "titleColor": INK,
    "labelFontSize": 11,
    "titleFontSize": 11,
    "titleFontWeight": "normal",
    "gridColor": GRID,
    "domainColor": MUTED,
    "tickColor": MUTED,
    "labelFontWeight": "normal",
    "labelOverlap": "greedy",
}


def finished(
    chart: Layer, points: Sequence[Row], height: int = HEIGHT, width: int = WIDTH
) -> dict[str, Any]:
    """The specification of a panel with the common look and its data."""
    # Each step of the library's own copies the chart whole.
    spec: dict[str, Any] = chart.to_dict(validate=False)
    usual = spec["config"]
    look = {
        "background": "transparent",
        "font": _FONT,
        "padding": 4,
        "view": usual["view"] | _VIEW,
        "axis": _AXES,
    }
    own = {"width": width, "height": height, "config": usual | look}
    return spec | own | {"datasets": {"points": list(points)}}


def rows(data: list[Row]) -> alt.Data:
    """A few rows as inline data."""
    data_class: Any = alt.Data
    inline: alt.Data = data_class(values=data)
    return inline


def log_axis(title: str, domain: tuple[float, float]) -> alt.Y:
    """A logarithmic vertical axis with a handful of labelled lines at round figures."""
    return alt.Y(
        "y:Q",
        scale=alt.Scale(type="log", domain=list(domain), nice=False),
        axis=alt.Axis(title=title, values=round_steps(*domain), format="~r", grid=True),
    )


_FACTORS = (
    (1.0,),
    (1.0, 2.0, 5.0),
    (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0),
    tuple(10 + step for step in range(90)),
)


def round_steps(low: float, high: float) -> list[float]:
    """At least four round figures within the bounds: powers of ten where they suffice, then
    1, 2, 5 of each, then finer ones."""
    steps: list[float] = []
    for factors in _FACTORS:
        steps = _steps(low, high, factors)
        if len(steps) >= 4:
            break
    return steps[:: max(1, len(steps) // 8)]


def _steps(low: float, high: float, factors: tuple[float, ...]) -> list[float]:
    scaled = [factor / 10 if factor >= 10 else factor for factor in factors]
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    steps = [float(f"{factor:g}e{power}") for power in powers for factor in scaled]
    return [step for step in steps if low <= step <= high]


def padded(values: list[float], *more: float | None) -> tuple[float, float]:
    """Bounds of a logarithmic axis: a fifth beyond the smallest and largest."""
    known = [v for v in (*values, *more) if v is not None and v > 0]
    if not known:
        return 0.1, 1.0
    return min(known) / 1.2, max(known) * 1.2


def limit_line(at: float, label: str, *, horizontal: bool = True) -> Layer:
    """A limit with its name: a deadline or a target."""
    data = rows([{"at": at, "label": label}])
    axis: dict[str, Any] = {"y": alt.Y("at:Q")} if horizontal else {"x": alt.X("at:Q")}
    rule = alt.Chart(data).mark_rule(color=LIMIT, strokeDash=[6, 3], strokeWidth=1.5).encode(**axis)
    place: dict[str, Any] = (
        {"x": alt.value(4), **axis} if horizontal else {"y": alt.value(6), **axis}
    )
    name = (
        alt.Chart(data)
        .mark_text(
            align="left" if horizontal else "right",
            dx=0 if horizontal else -4,
            dy=-6 if horizontal else 0,
            color=LIMIT,
            fontSize=11,
        )
        .encode(text=alt.Text("label:N"), **place)
    )
    return alt.layer(rule, name)
