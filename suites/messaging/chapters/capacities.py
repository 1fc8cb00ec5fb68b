"""Number of clients that each holds: by echo, by broadcast, and as the study says."""

from __future__ import annotations

from wirelab.report.api import (
    Block,
    CellTable,
    Column,
    Context,
    FigureColumn,
    Head,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    capacity_held,
    notes_for,
    paragraph,
    published_cell,
)

from .cells import by_mode

_PUBLISHED = FigureColumn("capacity.verified", published="capacity.clients")


def capacities(context: Context) -> list[Section]:
    """None without one of the two searches."""
    _ = context.words.gettext
    echo, broadcast = (CellTable.of(context, n) for n in ("capacity", "capacity-broadcast"))
    if not echo and not broadcast:
        return []
    said = _(
        "The study counted clients that were connected, while each sent to all. By broadcast: the "
        "most clients who all connected and all got one message of each, without loss, within a "
        "minute of the first. By echo: the most clients at 10 messages a second each, of which "
        "99 % come back within 100 ms. A search that ends at the highest number asked for, or "
        "where the clients' own process was at its limit, knows the least alone."
    )
    here = [n for n in context.contenders if n in {*echo.contenders, *broadcast.contenders}]
    groups = [
        RowGroup(tuple(_row(context, name, echo, broadcast) for name in names), Head(mode))
        for mode, names in by_mode(context, here).items()
    ]
    columns = (Column(_("by broadcast")), Column(_("by echo")), Column(_("published")))
    caption = _("Clients that each holds")
    stub = ("", _("contender"))
    notes = notes_for(context, groups)
    blocks: list[Block] = [
        paragraph(said),
        Table(caption, stub, columns, tuple(groups), notes),
    ]
    return [Section(_("How many clients each holds"), "capacities", tuple(blocks))]


def _row(context: Context, name: str, echo: CellTable, broadcast: CellTable) -> Row:
    cells: tuple[TableCell, ...] = (
        capacity_held(context, broadcast.cell(name, "")),
        capacity_held(context, echo.cell(name, "")),
        published_cell(context, context.key_of(name) or "", _PUBLISHED),
    )
    return Row(Head(context.name(name), None, context.colour(name)), cells)
