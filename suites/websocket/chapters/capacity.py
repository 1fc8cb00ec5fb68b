"""Number of users that a server holds, with all processors and with the time of one."""

from __future__ import annotations

from wirelab.report.api import (
    DASH,
    N_,
    Absent,
    Block,
    CellTable,
    Column,
    Command,
    Context,
    FigureColumn,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    notes_for,
    paragraph,
)

_SCENARIOS = (
    ("capacity", N_("users, all processors")),
    ("capacity-core", N_("users, one core's processor time")),
)


def sections(context: Context, *, of_all: bool = True) -> list[Section]:
    """The section. Where no capacity was searched it says how to get it, in a report of all."""
    _ = context.words.gettext
    grids = {name: CellTable.of(context, name) for name, _title in _SCENARIOS}
    if not any(grids.values()) and not of_all:
        return []
    blocks: list[Block | Section] = [
        paragraph(
            _(
                "The most users at one message a second on boards of 50 of whom everybody is "
                "connected, nobody is cut off, no delivery is lost, and both the round trip and "
                "the delivery to others take 100 ms at p99 at the most. The second column adds a "
                "bound: server and Redis together may use the processor time of one core, so that "
                "several threads are no advantage there. The ramp of the study ends at 1,000 "
                "users and shows no capacity of a server that keeps up."
            )
        )
    ]
    if any(grids.values()):
        blocks.append(_table(context, grids))
    else:
        blocks.append(paragraph(_("Not run this time. It takes:")))
        blocks.append(Command("./wl run websocket --scenario capacity --scenario capacity-core"))
    return [Section(_("How many users a server holds"), "capacity", tuple(blocks))]


def _table(context: Context, grids: dict[str, CellTable]) -> Table:
    _ = context.words.gettext
    searched = {name for grid in grids.values() for name in grid.contenders}
    names = [name for name in context.contenders if name in searched]
    groups = (RowGroup(tuple(_row(name, grids) for name in names)),)
    columns = tuple(Column(_(title)) for _name, title in _SCENARIOS)
    caption = _("Users verified; each search is told on its own")
    return Table(caption, (_("contender"),), columns, groups, notes_for(context, groups))


def _row(name: str, grids: dict[str, CellTable]) -> Row:
    here = [grid for grid in grids.values() if name in grid.contenders]
    return Row(here[0].head(name), tuple(_held(grid, name) for grid in grids.values()))


def _held(grid: CellTable, name: str) -> Plain:
    if name not in grid.contenders:
        return Absent(DASH)
    return grid.shown(name, "", FigureColumn("capacity.verified"))
