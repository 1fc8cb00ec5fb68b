"""Ratios to a plain socket: the price of the convenience."""

from __future__ import annotations

from wirelab.report.api import (
    Column,
    Context,
    FigureColumn,
    Head,
    Highlight,
    Highlights,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    multiple,
    paragraph,
)

from .cells import ELAPSED, by_mode

SOCKET = "socket"

_FIGURES = (
    ("transfer", "cold", FigureColumn(ELAPSED)),
    ("transfer-steady", "steady", FigureColumn("echo.latency.p50")),
    ("transfer-steady", "steady", FigureColumn("echo.latency.p99")),
    ("echo-size", "size-10000", FigureColumn("echo.latency.p50")),
    ("echo-clients", "c100-m10", FigureColumn(ELAPSED)),
    ("broadcast", "c100-m10", FigureColumn(ELAPSED)),
    ("connect", "c100", FigureColumn("connect.latency.p50")),
)
"""Scenario, step, and the figure that is told as a multiple."""


def against_sockets(context: Context) -> list[Section]:
    """The section with ratios to plain sockets; none where these took part in nothing of it."""
    _ = context.words.gettext
    chosen = Highlights.of(context, _FIGURES).known_of(SOCKET)
    if not chosen:
        return []
    names = [name for name in chosen.contenders if name != SOCKET]
    groups = [
        RowGroup(
            tuple(
                Row(
                    Head(context.name(name), None, context.colour(name)),
                    tuple(_times(one, name) for one in chosen.columns),
                )
                for name in of_mode
            ),
            Head(mode),
        )
        for mode, of_mode in by_mode(context, names).items()
    ]
    said = _(
        "Every figure divided by that of {socket} in the same run, with the interval that follows "
        "from those of both. Another mode does more for its time: a broker keeps what a socket "
        "hands over and forgets."
    )
    columns = tuple(Column(one.title, "×") for one in chosen.columns)
    table = Table(_("As a multiple of plain sockets"), ("", _("contender")), columns, tuple(groups))
    opening = paragraph(said.format(socket=context.name(SOCKET)))
    return [Section(_("Against plain sockets"), "sockets", (opening, table))]


def _times(one: Highlight, name: str) -> Plain:
    own, base = (one.metric(each) for each in (name, SOCKET))
    return multiple(own, base, 2)
