"""Figures of each second: latency, processor and memory over the trials."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from wirelab.cells.timelines import UNDER_WAY
from wirelab.model.result import Cell, Timeline
from wirelab.report.cell_table import CellTable
from wirelab.report.charts import theme, trial_lines
from wirelab.report.charts.theme import Row
from wirelab.report.context import Context
from wirelab.report.document import Chart, LegendItem, Panel, text

_CPU_FLOOR = 0.1
"""Percent; less is drawn here: a logarithmic axis has no zero."""

_HEIGHT = 170

_LATENCIES = (LegendItem("p50", None, "line"), LegendItem("p95", None, "dashed"))


def latency_over_time(context: Context, comparison: CellTable) -> Chart | None:
    """p50 and p95 of each second, small multiples: a panel an operation and contender."""
    _ = context.words.gettext
    panels = [
        panel
        for name in comparison.operations
        for panel in _latency_panels(context, comparison, name)
    ]
    if not panels:
        return None
    caption = text(
        _(
            "Each line is one trial, a point a second; in long trials a point stands for the "
            "highest p95 of a few seconds. Flat lines mean a steady state; a slope means that a "
            "trial was still warming up or wearing out, a spike a pause. Panels of an operation "
            "share their scale. The shaded seconds are warm-up and in no figure."
        )
    )
    return Chart(_("Latency over time"), caption, tuple(panels), _LATENCIES)


def _latency_panels(context: Context, comparison: CellTable, name: str) -> list[Panel]:
    _ = context.words.gettext
    lines = {
        cell.id: rows
        for cell in comparison.cells
        if (rows := _of_operation(context, cell, name, ("p50", "p95")))
    }
    domain = theme.padded([row["y"] for rows in lines.values() for row in rows])
    return [
        Panel(
            f"{context.name(cell.contender)} · {context.words.called(name)}",
            _("{operation} latency of {name} for each second of each trial, log scale.").format(
                operation=context.words.called(name), name=context.name(cell.contender)
            ),
            _latency_spec(context, comparison, cell, lines[cell.id], domain),
        )
        for cell in comparison.cells
        if cell.id in lines
    ]


def _latency_spec(
    context: Context,
    comparison: CellTable,
    cell: Cell,
    lines: Sequence[Row],
    domain: tuple[float, float],
) -> dict[str, object]:
    drawn = _latency_lines(context, comparison, cell, lines, domain)
    return theme.finished(drawn, lines, _HEIGHT, theme.SMALL)


def _latency_lines(
    context: Context,
    comparison: CellTable,
    cell: Cell,
    lines: Sequence[Row],
    domain: tuple[float, float],
) -> theme.Layer:
    """The p50 and the p95 of each trial, and the warm-up."""
    _ = context.words.gettext
    base = alt.Chart(theme.POINTS).encode(
        x=trial_lines.seconds_axis(context, lines),
        y=theme.log_axis(_("latency (ms)"), domain),
        detail=[alt.Detail("trial:N"), alt.Detail("kind:N")],
        color=alt.ColorValue(theme.colour_of(context.colour(cell.contender))),
    )
    faint = trial_lines.opacity(lines)
    p50 = base.transform_filter("datum.kind == 'p50'").mark_line(strokeWidth=1.8, opacity=faint)
    p95 = base.transform_filter("datum.kind == 'p95'").mark_line(
        strokeWidth=1.1, strokeDash=[2, 2], opacity=faint * 0.8
    )
    return alt.layer(*trial_lines.warmup(context, comparison), p95, p50)


def latency_and_users(context: Context, comparison: CellTable, operation: str) -> Chart | None:
    """p50 and p95 of each second of an operation of a closed loop, before the users of that second:
    a panel a contender. None where nothing was recorded.
    """
    _ = context.words.gettext
    kinds = ("p50", "p95", UNDER_WAY)
    lines = {
        cell.id: rows
        for cell in comparison.cells
        if (rows := _of_operation(context, cell, operation, kinds))
    }
    times = [row["y"] for rows in lines.values() for row in rows if row["kind"] != UNDER_WAY]
    if not times:
        return None
    domain = theme.padded(times)
    panels = tuple(
        Panel(
            context.name(cell.contender),
            _("{operation} latency of {name} for each second of each trial, and its users.").format(
                operation=context.words.called(operation), name=context.name(cell.contender)
            ),
            _users_spec(context, comparison, cell, lines[cell.id], domain),
        )
        for cell in comparison.cells
        if cell.id in lines
    )
    caption = text(
        _(
            "Each line is one trial, a point a second. Shaded are the operations under way, a mean "
            "of the second: as many as active users, who wait for nothing but answers."
        )
    )
    return Chart(_("Latency and active users over time"), caption, panels, _LATENCIES)


def _users_spec(
    context: Context,
    comparison: CellTable,
    cell: Cell,
    lines: Sequence[Row],
    domain: tuple[float, float],
) -> dict[str, object]:
    shade = (
        alt.Chart(theme.POINTS)
        .transform_filter(f"datum.kind == '{UNDER_WAY}'")
        .mark_area(color=theme.MUTED, opacity=0.18)
        .encode(
            x=trial_lines.seconds_axis(context, lines),
            y=alt.Y(
                "y:Q",
                scale=alt.Scale(zero=True, nice=True),
                stack=None,
                axis=alt.Axis(
                    title=context.words.gettext("active users"),
                    orient="right",
                    tickCount=4,
                    grid=False,
                ),
            ),
            detail=[alt.Detail("trial:N")],
        )
    )
    drawn = alt.layer(shade, _latency_lines(context, comparison, cell, lines, domain))
    both = drawn.resolve_scale(y="independent")
    return theme.finished(both, lines, _HEIGHT, theme.SMALL)


def resources_over_time(context: Context, comparison: CellTable) -> Chart | None:
    """CPU and memory of the measured role, and CPU of the roles it talks to."""
    _ = context.words.gettext
    measured = comparison.scenario.subject_role
    panels = [
        _cpu_panel(context, comparison, measured),
        _memory_panel(context, comparison, measured),
        *(
            _cpu_panel(context, comparison, role)
            for role in comparison.scenario.roles
            if role != measured
        ),
    ]
    drawn = tuple(panel for panel in panels if panel is not None)
    if not drawn:
        return None
    caption = text(
        _(
            "Processor use of each second (log scale; 100 % is one core) and memory, one line a "
            "trial. Memory that only ever rises is worth a longer run. Dotted is the heap the "
            "runtime reports, which must lie below the RSS."
        )
    )
    heap = LegendItem(_("heap"), None, "dashed")
    legend = (*trial_lines.legend(context, comparison), heap)
    return Chart(_("CPU and memory over time"), caption, drawn, legend)


def _cpu_panel(context: Context, comparison: CellTable, role: str) -> Panel | None:
    _ = context.words.gettext
    lines = _of_role(context, comparison, role, ("cpu",))
    if not lines:
        return None
    floored = [{**row, "y": max(row["y"], _CPU_FLOOR)} for row in lines]
    domain = theme.padded([row["y"] for row in floored])
    base = trial_lines.base(context, floored, theme.log_axis(_("CPU (% of one core)"), domain))
    line = base.mark_line(strokeWidth=1.6, opacity=trial_lines.opacity(floored))
    called = context.role(role)
    return Panel(
        _("CPU of the {role}").format(role=called),
        _("Processor use of the {role} for each second of each trial.").format(role=called),
        theme.finished(
            alt.layer(*trial_lines.warmup(context, comparison), line), floored, width=theme.SMALL
        ),
    )


def _memory_panel(context: Context, comparison: CellTable, role: str) -> Panel | None:
    _ = context.words.gettext
    lines = _of_role(context, comparison, role, ("rss", "heap"))
    if not lines:
        return None
    axis = alt.Y(
        "y:Q",
        scale=alt.Scale(zero=True, nice=True),
        axis=alt.Axis(title=_("memory (MB)"), tickCount=5),
    )
    base = trial_lines.base(context, lines, axis)
    faint = trial_lines.opacity(lines)
    rss = base.transform_filter("datum.kind == 'rss'").mark_line(strokeWidth=1.8, opacity=faint)
    heap = base.transform_filter("datum.kind == 'heap'").mark_line(
        strokeWidth=1.2, strokeDash=[2, 3], opacity=faint
    )
    return Panel(
        _("memory of the {role}").format(role=context.role(role)),
        _("Resident memory and heap of the {role} for each second of each trial.").format(
            role=context.role(role)
        ),
        theme.finished(
            alt.layer(*trial_lines.warmup(context, comparison), heap, rss), lines, width=theme.SMALL
        ),
    )


def _of_operation(context: Context, cell: Cell, name: str, kinds: Sequence[str]) -> list[Row]:
    return trial_lines.rows_of(context.drawn(cell).operations.get(name, []), kinds)


def _of_role(context: Context, comparison: CellTable, role: str, kinds: Sequence[str]) -> list[Row]:
    def used(cell: Cell) -> Sequence[Timeline]:
        return context.drawn(cell).resources.get(role, [])

    return trial_lines.by_contender(context, comparison, used, kinds)
