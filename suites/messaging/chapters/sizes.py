"""Broadcasts by size, and echoes by size and clients: announced by the study, printed nowhere."""

from __future__ import annotations

from wirelab.report.api import (
    Block,
    CellTable,
    Context,
    Head,
    Row,
    RowGroup,
    Section,
    chart_by_step,
    paragraph,
    plain,
    steps,
)

from . import datagrams
from .cells import ELAPSED, by_mode, per_delivery


def sizes(context: Context) -> list[Section]:
    """The section on sizes; none where neither scenario was run."""
    _ = context.words.gettext
    told = CellTable.of(context, "broadcast-size")
    asked = CellTable.of(context, "echo-size-clients")
    if not told and not asked:
        return []
    said = _(
        "In its chapter III the study announces broadcasts by size, and sizes by number of "
        "clients; it prints neither. Each client sends ten messages here, to all or for its own "
        "answer, one after the other. The time runs until the last client has everything."
    )
    blocks: list[Block] = [paragraph(said)]
    if told:
        blocks += _broadcasts(told)
    if asked:
        blocks += _echoes(asked)
    return [Section(_("By size: broadcasts, and many clients"), "by-size", tuple(blocks))]


def _broadcasts(grid: CellTable) -> list[Block]:
    context, _ = grid.context, grid.context.words.gettext
    titles = [grid.step_title(step) for step in grid.steps]
    blocks: list[Block] = []
    groups = by_mode(context, grid.contenders)
    for mode, names in groups.items():
        rows = [
            RowGroup(
                (
                    *steps.rows_of(grid, name, {_("time, s"): ELAPSED}),
                    Row(Head(_("per delivery, µs")), per_delivery(grid, name)),
                    *steps.rows_of(grid, name, {_("p99, ms"): "delivery.latency.p99"}),
                ),
                grid.head(name),
            )
            for name in names
        ]
        caption = _("Broadcast by size · {mode}").format(mode=mode)
        blocks.append(steps.sheet(context, caption, titles, rows))
    title, along = _("Broadcast by size"), ("message_bytes", _("bytes of a message"))
    said = plain(_("Seconds of a step by the size of its messages, with their intervals."))
    chart = chart_by_step(grid, title, said, ELAPSED, list(groups.items()), along=along)
    return [*blocks, *([chart] if chart is not None else [])]


def _echoes(grid: CellTable) -> list[Block]:
    context, _ = grid.context, grid.context.words.gettext
    titles = [grid.step_title(step) for step in grid.steps]
    metrics = {
        _("time, s"): ELAPSED,
        _("p50, ms"): "echo.latency.p50",
        _("p99, ms"): "echo.latency.p99",
    }
    blocks = datagrams.echoes_said(grid)
    for mode, names in by_mode(context, grid.contenders).items():
        groups = [datagrams.by_step(grid, name, metrics) for name in names]
        caption = _("Echo by size and clients · {mode}").format(mode=mode)
        blocks.append(steps.sheet(context, caption, titles, groups))
    return blocks
