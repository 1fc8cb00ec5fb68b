"""Figures that a careless benchmark would have printed, and the traps of published comparisons."""

from __future__ import annotations

from wirelab.report.api import (
    DASH,
    N_,
    Absent,
    Block,
    Callout,
    CellTable,
    Column,
    Context,
    Figure,
    FigureColumn,
    Head,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    cell,
    numbers,
    paragraph,
)

from .formats import TIMED, within

UNUSED = "round_trip_unused.time"

_TRAPS = (
    (
        N_("The result is not used, so the compiler deletes the work"),
        N_(
            "every decoded field goes into a checksum that the core computes again; a time below "
            "that of copying bytes is invalid"
        ),
    ),
    (
        N_("One input, over and over, that the compiler can compute once"),
        N_("a pool of different values in turn, read at run time"),
    ),
    (
        N_("Owned strings against views, reused messages against fresh ones"),
        N_("a declared mode, and ranks within one mode only"),
    ),
    (
        N_("Validated text against bytes that nobody looked at"),
        N_("text fields are strings in every schema; who skips validation declares it"),
    ),
    (
        N_("A read that never rewinds, and so reads nothing after the first iteration"),
        N_("the checksum of all iterations together, for every batch"),
    ),
    (
        N_("One message per field, or a field of another type"),
        N_(
            "one schema and one neutral set of values for all; decoded values are compared field "
            "by field"
        ),
    ),
    (
        N_("State of one message that shows in the next"),
        N_("a pool is encoded forwards and then backwards, and must give the same bytes"),
    ),
    (
        N_("Views into memory that is gone"),
        N_("encodings are overwritten before what was decoded from them is compared"),
    ),
    (
        N_("Debug builds"),
        N_("the core builds every contender itself, with the flags its manifest shows"),
    ),
    (
        N_("A cold start inside a steady figure, or a warm loop sold as a first call"),
        N_("warm-up until batches agree, in scenario steady; cold start on purpose, in million"),
    ),
    (
        N_("One process, one figure"),
        N_("fresh processes in random order; their disagreement is the interval"),
    ),
)


def traps(context: Context, found: CellTable) -> Section:
    """The same loop with and without its checksum, then the list."""
    _ = context.words.gettext
    blocks: list[Block | Section] = []
    if not found:
        said = _("not run this time: ./wl run codec --scenario traps")
        blocks.append(paragraph(said))
    else:
        blocks.append(_warning(context))
        blocks.append(_table(context, found))
    blocks.append(_list(context))
    return Section(_("Traps"), "traps", tuple(blocks))


def _warning(context: Context) -> Block:
    _ = context.words.gettext
    said = _(
        "The columns “result unused” are no results. They are what this machine shows when the "
        "same loop drops what it decoded, as some published benchmarks do. Where the figure is a "
        "fraction of the honest one, the compiler has removed work; where both agree, the language "
        "or the library left it nothing to remove, which nobody knows beforehand."
    )
    return Callout("warn", _("Not a measurement of any library"), (paragraph(said),))


def _table(context: Context, found: CellTable) -> Table:
    _ = context.words.gettext
    columns: list[Column] = []
    for step in found.steps:
        columns += [
            Column(_("{data}: result used").format(data=step), "ns"),
            Column(_("{data}: result unused").format(data=step), "ns"),
            Column(_("{data}: shown of it").format(data=step), "%"),
        ]
    groups = []
    for language in found.languages:
        names = [name for group in found.peers_of(language) for name in group.contenders]
        rows = tuple(Row(Head(within(context, name)), _cells(found, name)) for name in names)
        if rows:
            groups.append(RowGroup(rows, Head(language)))
    stub = (_("language"), _("contender"))
    caption = _("The same loop with its result used, and unused")
    return Table(caption, stub, tuple(columns), tuple(groups))


def _cells(found: CellTable, name: str) -> tuple[TableCell, ...]:
    cells: list[TableCell] = []
    for step in found.steps:
        used, unused = found.value(name, step, TIMED), found.value(name, step, UNUSED)
        cells.append(found.shown(name, step, FigureColumn(TIMED)))
        cells.append(found.shown(name, step, FigureColumn(UNUSED)))
        if used is None or unused is None:
            cells.append(Absent(DASH))
        else:
            cells.append(Figure(numbers.brief(100 * unused / used)))
    return tuple(cells)


def _list(context: Context) -> Table:
    _ = context.words.gettext
    rows = tuple(Row(Head(_(trap)), (cell(_(against)),)) for trap, against in _TRAPS)
    columns = (Column(_("how it is excluded here"), align="left"),)
    caption = _("Traps seen in published comparisons")
    return Table(caption, (_("trap"),), columns, (RowGroup(rows),))
