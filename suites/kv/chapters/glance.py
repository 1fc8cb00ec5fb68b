"""The first screen: every client in one table."""

from __future__ import annotations

from wirelab.report.api import (
    Block,
    Column,
    Context,
    FigureColumn,
    Highlights,
    Row,
    RowGroup,
    Table,
    first_screen,
    paragraph,
)

_COLUMNS = (
    ("client", "s1-k200", FigureColumn("read.latency.p50")),
    ("client", "s1-k200", FigureColumn("read.latency.p99")),
    ("client-paced", "k200", FigureColumn("read.response.p99")),
    ("eight-nodes", "found-k200", FigureColumn("read.latency.p50")),
    ("asgi", "c5", FigureColumn("request.latency.p50")),
    ("asgi", "c5", FigureColumn("request.latency.p95")),
    ("serving", "single", FigureColumn("request.latency.p50")),
    ("serving", "single", FigureColumn("request.latency.p95")),
)
"""Scenario, step, and the figure of it that stands for it here."""


def glance(context: Context) -> tuple[Block, ...] | None:
    """None for a run with none of these scenarios: the usual first screen tells more of it."""
    _ = context.words.gettext
    chosen = Highlights.of(context, _COLUMNS)
    if not chosen:
        return None
    said = _(
        "One row a client, milliseconds. Figures of Aerospike's clients are their cost against a "
        "bench server, not the speed of a database. Who is faster is said further down, where "
        "they can be told apart."
    )
    rows = tuple(
        Row(chosen.head(name), chosen.shown(name))
        for name in chosen.contenders
        if name not in context.references
    )
    columns = tuple(Column(one.title, "ms") for one in chosen.columns)
    table = Table(_("At a glance"), (_("client"),), columns, (RowGroup(rows),))
    return first_screen(context, paragraph(said), table)
