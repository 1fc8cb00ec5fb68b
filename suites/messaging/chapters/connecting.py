"""What a connection costs: from nothing to the first answer, and how many echoes that is."""

from __future__ import annotations

from wirelab.report import claims
from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Block,
    Head,
    Paragraph,
    Plain,
    Row,
    RowGroup,
    Section,
    cell,
    plain,
)
from wirelab.report.grid import Grid
from wirelab.report.tabulate import DASH, FigureColumn
from wirelab.stats.ratio import ratio

from .cells import by_mode, row, sheet

_CONNECT, _ECHO = "connect.latency.p50", "echo.latency.p50"


def connecting(context: Context) -> list[Section]:
    """None without the scenario `connect`."""
    _ = context.words.gettext
    grid = Grid.of(context, "connect")
    if grid is None:
        return []
    said = _(
        "From the call that connects to the answer of a first echo, one client after the other: a "
        "connection that is accepted and not served is none. The source mixes this time with that "
        "of sending; here no other figure has it. What one connection costs is told in echoes of "
        "1,000 bytes, warm, where those were measured too."
    )
    blocks: list[Block] = [Paragraph(plain(said))]
    titles = [grid.step_title(step) for step in grid.steps]
    warm = Grid.of(context, "transfer-steady")
    for mode, names in by_mode(context, grid.contenders).items():
        groups = [RowGroup(_rows(grid, warm, name), grid.head(name)) for name in names]
        caption = _("Connecting · {mode}").format(mode=mode)
        blocks.append(sheet(context, caption, titles, groups))
    return [Section(_("What a connection costs"), "connecting", tuple(blocks))]


def _rows(grid: Grid, warm: Grid | None, name: str) -> tuple[Row, ...]:
    _ = grid.context.words.gettext
    rows = [
        Row(Head(_("p50, ms")), row(grid, name, FigureColumn(_CONNECT))),
        Row(Head(_("p95, ms")), row(grid, name, FigureColumn("connect.latency.p95"))),
        Row(Head(_("connections a second")), row(grid, name, FigureColumn("connect.rate"))),
        Row(Head(_("not connected")), row(grid, name, FigureColumn("connect.error.count"))),
    ]
    if warm is not None:
        told = tuple(_in_echoes(grid, warm, name, step) for step in grid.steps)
        rows.append(Row(Head(_("p50 in echoes, ×")), told))
    return tuple(rows)


def _in_echoes(grid: Grid, warm: Grid, name: str, step: str) -> Plain:
    own, echo = grid.metric(name, step, _CONNECT), warm.metric(name, "steady", _ECHO)
    if own is None or echo is None or not own.value or not echo.value:
        return Absent(DASH)
    apart = ratio(own, echo)
    return cell(claims.ratio_words(apart) if apart else f"{own.value / echo.value:.0f}")
