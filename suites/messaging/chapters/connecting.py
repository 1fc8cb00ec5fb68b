"""Cost of a connection: from nothing to the first answer, and how many echoes that is."""

from __future__ import annotations

from wirelab.report.api import (
    Block,
    CellTable,
    Context,
    Head,
    Plain,
    Row,
    RowGroup,
    Section,
    multiple,
    paragraph,
    steps,
)

from .cells import by_mode

_CONNECT, _ECHO = "connect.latency.p50", "echo.latency.p50"


def connecting(context: Context) -> list[Section]:
    """None without the scenario `connect`."""
    _ = context.words.gettext
    grid = CellTable.of(context, "connect")
    if not grid:
        return []
    said = _(
        "From the call that connects to the answer of a first echo, one client after the other: a "
        "connection that is accepted and not served is none. The study mixes this time with that "
        "of sending; here no figure has it but those that say so, in table 6. What one connection "
        "costs is told in echoes of 1,000 bytes, warm, where those were measured too."
    )
    blocks: list[Block] = [paragraph(said)]
    titles = [grid.step_title(step) for step in grid.steps]
    warm = CellTable.of(context, "transfer-steady")
    for mode, names in by_mode(context, grid.contenders).items():
        groups = [RowGroup(_rows(grid, warm, name), grid.head(name)) for name in names]
        caption = _("Connecting · {mode}").format(mode=mode)
        blocks.append(steps.sheet(context, caption, titles, groups))
    return [Section(_("What a connection costs"), "connecting", tuple(blocks))]


def _rows(grid: CellTable, warm: CellTable, name: str) -> tuple[Row, ...]:
    _ = grid.context.words.gettext
    metrics = {
        _("p50, ms"): _CONNECT,
        _("p95, ms"): "connect.latency.p95",
        _("connections a second"): "connect.rate",
        _("not connected"): "connect.error.count",
    }
    rows = steps.rows_of(grid, name, metrics)
    if not warm:
        return rows
    told = tuple(_in_echoes(grid, warm, name, step) for step in grid.steps)
    return (*rows, Row(Head(_("p50 in echoes, ×")), told))


def _in_echoes(grid: CellTable, warm: CellTable, name: str, step: str) -> Plain:
    own, echo = grid.metric(name, step, _CONNECT), warm.metric(name, "steady", _ECHO)
    return multiple(own, echo, 0)
