"""YCSB's workloads: single records that are read and written, in real databases."""

from __future__ import annotations

from wirelab.report.api import (
    N_,
    Block,
    CellTable,
    Column,
    Context,
    FigureColumn,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    cell,
    notes_for,
    paragraph,
)

_LEVELS = ("mean", "p50", "p95", "p99")
_LEVELS_OF_A_KIND = ("p50", "p95", "p99")
_DURABILITY = {
    "none": N_(
        "durability none: what is written lies in memory alone, and no write waits for a disk"
    ),
    "each-write": N_("durability each-write: a write is on disk before it is acknowledged"),
}
_CHANGES = {
    "compare-and-set": N_("compare-and-set"),
    "transaction": N_("transaction"),
}


def sections(context: Context) -> list[Section]:
    """The section on YCSB's workloads; none where none of them was run."""
    grids = [grid for name in ("ycsb", "ycsb-scan") if (grid := CellTable.of(context, name))]
    if not grids:
        return []
    _ = context.words.gettext
    said = _(
        "YCSB's workloads (Cooper et al. 2010): 16 users without pauses, records of 10 fields of "
        "100 bytes, asked for by a Zipf distribution with the exponent 0.99, in D the latest most. "
        "The first figures are of the whole mix of a workload; those of each kind of operation "
        "stand below them. Of which kind an operation is follows from its turn, and no client "
        "says it. Keys are drawn in the same way for every client. Each value says which write it "
        "is of: a read that finds an older one than had been acknowledged, or two changes of one "
        "value, is a wrong answer."
    )
    blocks: list[Block] = [paragraph(said), paragraph(_conditions(grids[0]))]
    for grid in grids:
        for step in grid.steps:
            blocks += [_table(grid, step), *_by_kind(grid, step)]
    if len(grids) == 1:
        only = _(
            "Scans (workload E) are the scenario ycsb-scan. Redis and memcached have no part in "
            "it: their keys have no order."
        )
        blocks.append(paragraph(only))
    return [Section(_("Single records: YCSB A to F"), "ycsb", tuple(blocks))]


def _conditions(grid: CellTable) -> str:
    """Tell the size of the data, its place, and what a write waits for."""
    _ = grid.context.words.gettext
    parameters = grid.cells[0].parameters
    records = parameters.get("records", 0)
    said = _(
        "{records:,} records, about {megabytes:,} MB: they fit in the memory of the server, and "
        "everything read comes from there."
    ).format(records=records, megabytes=max(1, int(records) // 1000))
    durability = _DURABILITY.get(str(parameters.get("durability", "none")))
    return f"{said} {_(durability)}." if durability else said


def _table(grid: CellTable, step: str) -> Table:
    context, _ = grid.context, grid.context.words.gettext
    here = grid.at(step)
    modifies = here.all_steps[step].parameters.get("workload") == "f"
    columns = (
        Column(_("operations/s")),
        *(Column(_(level), "ms") for level in _LEVELS),
        Column(_("CPU"), "%"),
        *((Column(_("changes by")),) if modifies else ()),
    )
    figures = [
        FigureColumn("ycsb.rate"),
        *(FigureColumn(f"ycsb.latency.{level}") for level in _LEVELS),
        FigureColumn("cpu.mean"),
    ]
    groups = tuple(
        RowGroup(
            (
                Row(
                    grid.head(name),
                    (
                        *(grid.shown(name, step, figure) for figure in figures),
                        *((_changes(context, name),) if modifies else ()),
                    ),
                ),
            ),
        )
        for name in here.contenders
    )
    return Table(grid.step_title(step), (_("client"),), columns, groups, notes_for(context, groups))


def _by_kind(grid: CellTable, step: str) -> list[Table]:
    """Latencies of each kind of operation; none where a workload has a single one."""
    context, _ = grid.context, grid.context.words.gettext
    here = grid.at(step)
    kinds = [
        kind
        for kind in grid.scenario.operations["ycsb"].kinds
        if any(f"ycsb.kind.{kind}.mean" in cell.metrics for cell in here.cells)
    ]
    if len(kinds) < 2:
        return []
    keys = [f"ycsb.kind.{kind}.{level}" for kind in kinds for level in _LEVELS_OF_A_KIND]
    columns = tuple(Column(context.naming.column_title(key), "ms") for key in keys)
    rows = tuple(
        Row(
            grid.head(name),
            tuple(grid.shown(name, step, FigureColumn(key)) for key in keys),
        )
        for name in here.contenders
    )
    caption = _("{step}, by kind of operation").format(step=grid.step_title(step))
    groups = (RowGroup(rows),)
    return [Table(caption, (_("client"),), columns, groups, notes_for(context, groups))]


def _changes(context: Context, name: str) -> Plain:
    """Tell how a client keeps others from writing between a read and the write after it."""
    _ = context.words.gettext
    has = context.participant(name).manifest.capabilities
    return cell(", ".join(_(word) for key, word in _CHANGES.items() if key in has))
