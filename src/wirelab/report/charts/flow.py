"""Rate, loss and traffic of each second over the trials."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from wirelab.cells.flow import IN, LOOPBACK, LOST, OUT, RATE
from wirelab.model.result import Cell, Timeline
from wirelab.report.cell_table import CellTable
from wirelab.report.charts import theme, trial_lines
from wirelab.report.charts.theme import Row
from wirelab.report.context import Context
from wirelab.report.document import Chart, Panel, Text, text


def rate_over_time(context: Context, comparison: CellTable) -> Chart | None:
    """Items of each second, a panel an operation, and those that were lost, where any were."""
    _ = context.words.gettext
    losses = {name: _rows(context, comparison, name, LOST) for name in comparison.operations}
    lost = {name: rows for name, rows in losses.items() if any(row["y"] for row in rows)}
    panels = [
        panel
        for name in comparison.operations
        for panel in _of_operation(context, comparison, name, lost.get(name, []))
    ]
    if not panels:
        return None
    caption = _(
        "Each line is one trial, a point a second: what was due in that second (in a closed loop: "
        "began) and was done, however late. In long trials a point stands for the mean of a few "
        "seconds, of losses for the highest. Counts are whole: seconds that other programs "
        "disturbed are in them. The shaded seconds are warm-up and in no figure."
    )
    if any(losses.values()) and not lost:
        caption += " " + _("Nothing was lost in any second.")
    return _chart(context, comparison, _("Rate and loss over time"), text(caption), panels)


def _of_operation(
    context: Context, comparison: CellTable, name: str, losses: Sequence[Row]
) -> list[Panel]:
    """Panels of rates and of ``losses``, each where there are any."""
    _ = context.words.gettext
    called = context.words.called(name)
    item = _(comparison.scenario.operations[name].item)

    panels = []
    if rates := _rows(context, comparison, name, RATE):
        panels.append(
            _panel(
                context,
                comparison,
                rates,
                title=_("{op} rate").format(op=called),
                about=_("{op} rate of each second of each trial.").format(op=called),
                axis=f"{item}/s",
            )
        )
    if losses:
        panels.append(
            _panel(
                context,
                comparison,
                losses,
                title=_("{op} lost").format(op=called),
                about=_("{op}: lost of what was due in each second of each trial.").format(
                    op=called
                ),
                axis=_("lost ({item}/s)").format(item=item),
            )
        )
    return panels


def _rows(context: Context, comparison: CellTable, name: str, kind: str) -> list[Row]:
    def done(cell: Cell) -> Sequence[Timeline]:
        return context.drawn(cell).operations.get(name, [])

    return trial_lines.by_contender(context, comparison, done, (kind,))


def network_over_time(context: Context, comparison: CellTable) -> Chart | None:
    """Bytes of each second into the server and out of it, and on the loopback of the trial."""
    _ = context.words.gettext
    ways = {
        IN: (_("into the server"), _("Bytes that came in at the server in each second.")),
        OUT: (_("out of the server"), _("Bytes that went out of the server in each second.")),
        LOOPBACK: (_("loopback"), _("Bytes of all packets on the loopback in each second.")),
    }

    def flowed(cell: Cell) -> Sequence[Timeline]:
        return context.drawn(cell).network

    panels = [
        _panel(context, comparison, lines, title=title, about=about, axis="MB/s")
        for way, (title, about) in ways.items()
        if (lines := trial_lines.by_contender(context, comparison, flowed, (way,)))
    ]
    if not panels:
        return None
    caption = _(
        "By the second in which bytes went through the sockets of the clients, as the generator "
        "counts them: frames and headers of the protocol are in it, headers of TCP are not. The "
        "**loopback** has every packet of the trial once, both ways and between all roles, headers "
        "included; without a sandbox it is the host's, with those of other programs."
    )
    return _chart(context, comparison, _("Network over time"), text(caption), panels)


def _chart(
    context: Context, comparison: CellTable, title: str, caption: Text, panels: Sequence[Panel]
) -> Chart:
    return Chart(title, caption, tuple(panels), trial_lines.legend(context, comparison))


def _panel(
    context: Context,
    comparison: CellTable,
    lines: Sequence[Row],
    *,
    title: str,
    about: str,
    axis: str,
) -> Panel:
    y_axis = alt.Y(
        "y:Q", scale=alt.Scale(zero=True, nice=True), axis=alt.Axis(title=axis, tickCount=5)
    )
    line = trial_lines.base(context, lines, y_axis).mark_line(
        strokeWidth=1.6, opacity=trial_lines.opacity(lines)
    )
    drawn = alt.layer(*trial_lines.warmup(context, comparison), line)
    return Panel(title, about, theme.finished(drawn, lines, width=theme.SMALL))
