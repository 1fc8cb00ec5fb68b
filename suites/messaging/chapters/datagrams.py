"""Loss of datagrams, which nothing sends again: of echoes, and of streams."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from wirelab.report.api import (
    DASH,
    Absent,
    Block,
    CellTable,
    Column,
    Figure,
    Head,
    Plain,
    Row,
    RowGroup,
    Table,
    capacity_failed_with,
    cell,
    paragraph,
    steps,
)

_DATAGRAMS = frozenset({"socket-udp"})
"""Contenders whose messages are sent once, and acknowledged by nobody. What else goes over UDP
sends again itself.
"""


def take_part(grid: CellTable) -> bool:
    """Whether any contender of a table sends datagrams."""
    return any(name in _DATAGRAMS for name in grid.contenders)


def echoes_said(grid: CellTable) -> list[Block]:
    """The reason why echoes are lost, and how it is seen; none where no datagrams take part."""
    if not take_part(grid):
        return []
    said = grid.context.words.gettext(
        "A datagram (UDP) that is lost stays lost: neither the kernel nor the library sends it "
        "again. Lost are echoes that were not back when their time was over, of all that were "
        "sent in all trials. One is enough to make the cell invalid. All others go over TCP or "
        "send again themselves what is lost on the way."
    )
    return [paragraph(said)]


def lost(grid: CellTable, name: str, step: str) -> Plain:
    """Echoes that did not come back, of all."""
    found = grid.cell(name, step)
    told = {} if found is None else found.statuses.get("echo", {})
    if not told:
        return Absent(DASH)
    said = grid.context.words.gettext("{lost} of {sent}")
    return Figure(said.format(lost=f"{told.get('timeout', 0):,}", sent=f"{sum(told.values()):,}"))


def lost_rows(grid: CellTable, name: str) -> tuple[Row, ...]:
    """The same at each step; none for what is no datagram."""
    if name not in _DATAGRAMS:
        return ()
    title = grid.context.words.gettext("echoes lost")
    return (Row(Head(title), tuple(lost(grid, name, step) for step in grid.steps)),)


def by_step(grid: CellTable, name: str, metrics: Mapping[str, str]) -> RowGroup:
    """Figures of a contender at each step by their titles, and the echoes lost of datagrams."""
    rows = (*steps.rows_of(grid, name, metrics), *lost_rows(grid, name))
    return RowGroup(rows, grid.head(name))


def streams_lost(
    grids: Sequence[CellTable], factor: Callable[[CellTable], float], columns: tuple[Column, ...]
) -> list[Block]:
    """Deliveries that were lost at the lowest rate that did not hold; none without datagrams."""
    here = {name for grid in grids for name in grid.contenders} & _DATAGRAMS
    if not here:
        return []
    context = grids[0].context
    _ = context.words.gettext
    said = _(
        "Nobody who sends datagrams is held back, and nothing sends one again: what comes while a "
        "buffer is full is lost. So their streams end where loss begins. The table has what was "
        "lost at the lowest rate that did not hold; 0 is a rate at which another bound broke."
    )
    rows = tuple(
        Row(
            Head(context.name(name), None, context.colour(name)),
            tuple(_lost_at(grid, name, factor(grid)) for grid in grids),
        )
        for name in context.contenders
        if name in here
    )
    stub = (_("contender"),)
    return [
        paragraph(said),
        Table(_("Datagrams: deliveries lost"), stub, columns, (RowGroup(rows),)),
    ]


def _lost_at(grid: CellTable, name: str, factor: float) -> Plain:
    found = capacity_failed_with(grid.cell(name, ""), "delivery.loss.count")
    if found is None:
        return Absent(DASH)
    load, value = found
    said = grid.context.words.gettext("{lost} at {rate}/s")
    return cell(said.format(lost=f"{value:,.0f}", rate=f"{load * factor:,.0f}"))
