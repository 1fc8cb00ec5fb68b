"""The first screen: every contender in one table, apart by what its echo means."""

from __future__ import annotations

from wirelab.report.api import (
    Block,
    Column,
    Context,
    FigureColumn,
    Head,
    Highlights,
    Row,
    RowGroup,
    Table,
    first_screen,
    paragraph,
)

from .cells import ELAPSED, by_mode

_COLUMNS = (
    ("transfer", "cold", FigureColumn(ELAPSED)),
    ("transfer-steady", "steady", FigureColumn("echo.latency.p50", factor=1000, unit="µs")),
    ("transfer-steady", "steady", FigureColumn("echo.latency.p99", factor=1000, unit="µs")),
    ("echo-paced", "size-1000", FigureColumn("echo.response.p99")),
    ("broadcast", "c100-m10", FigureColumn(ELAPSED)),
    ("broadcast", "c300-m10", FigureColumn(ELAPSED)),
    ("connect", "c100", FigureColumn("connect.latency.p50")),
    ("capacity", "", FigureColumn("capacity.verified")),
)
"""Scenario, step, and the figure of it that stands for it here."""


def glance(context: Context) -> tuple[Block, ...] | None:
    """None for a run with none of these scenarios: the usual first screen tells more of it."""
    _ = context.words.gettext
    chosen = Highlights.of(context, _COLUMNS)
    if not chosen:
        return None
    said = _(
        "Each contender has one row, and contenders whose echo means the same stand together. "
        "Figures are of messages of 1,000 bytes. The chapters below say which contender is "
        "faster, where the figures can be told apart."
    )
    groups = [
        RowGroup(tuple(Row(chosen.head(n), chosen.shown(n)) for n in names), Head(mode))
        for mode, names in by_mode(context, chosen.contenders).items()
    ]
    columns = tuple(Column(one.title, _unit(one.column)) for one in chosen.columns)
    table = Table(_("At a glance"), ("", _("contender")), columns, tuple(groups))
    return first_screen(context, paragraph(said), table)


def _unit(column: FigureColumn) -> str:
    part = column.metric.rpartition(".")[2]
    return column.unit or {"elapsed": "s", "verified": ""}.get(part, "ms")
