"""How many times what a plain socket takes: the price of the convenience."""

from __future__ import annotations

from wirelab.report import claims
from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Column,
    Head,
    Paragraph,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    cell,
    plain,
)
from wirelab.report.grid import Grid
from wirelab.report.tabulate import DASH
from wirelab.stats.ratio import ratio

from .cells import ELAPSED, by_mode

SOCKET = "socket"

_FIGURES = (
    ("transfer", "cold", ELAPSED),
    ("transfer-steady", "steady", "echo.latency.p50"),
    ("transfer-steady", "steady", "echo.latency.p99"),
    ("echo-size", "size-10000", "echo.latency.p50"),
    ("echo-clients", "c100-m10", ELAPSED),
    ("broadcast", "c100-m10", ELAPSED),
    ("connect", "c100", "connect.latency.p50"),
)
"""Scenario, step, and the figure that is told as a multiple."""


def against_sockets(context: Context) -> list[Section]:
    """None where plain sockets took part in nothing of it."""
    _ = context.words.gettext
    found = [(Grid.of(context, scenario), step, name) for scenario, step, name in _FIGURES]
    chosen = [
        (grid, step, name)
        for grid, step, name in found
        if grid is not None and grid.metric(SOCKET, step, name) is not None
    ]
    if not chosen:
        return []
    here = {name for grid, _step, _name in chosen for name in grid.contenders} - {SOCKET}
    names = [name for name in context.contenders if name in here]
    groups = [
        RowGroup(
            tuple(
                Row(
                    Head(context.name(name), None, context.colour(name)),
                    tuple(_times(grid, name, step, figure) for grid, step, figure in chosen),
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
    columns = tuple(Column(_title(grid, step, figure), "×") for grid, step, figure in chosen)
    table = Table(_("As a multiple of plain sockets"), ("", _("contender")), columns, tuple(groups))
    paragraph = Paragraph(plain(said.format(socket=context.name(SOCKET))))
    return [Section(_("Against plain sockets"), "sockets", (paragraph, table))]


def _title(grid: Grid, step: str, figure: str) -> str:
    scenario = grid.scenarios[0].title.of(grid.context.language).partition(":")[0]
    level = figure.rpartition(".")[2]
    words = [scenario, grid.step_title(step), *([level] if level.startswith("p") else [])]
    return " · ".join(words)


def _times(grid: Grid, name: str, step: str, figure: str) -> Plain:
    own, base = (grid.metric(each, step, figure) for each in (name, SOCKET))
    if own is None or base is None or not own.value or not base.value:
        return Absent(DASH)
    apart = ratio(own, base)
    return cell(claims.ratio_words(apart) if apart else f"{own.value / base.value:.2f}")
