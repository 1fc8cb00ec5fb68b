"""Sizes of a client's pool: the same callers with ever more connections, ranked at each size."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.report.api import (
    DASH,
    N_,
    Absent,
    CellTable,
    Column,
    Context,
    FigureColumn,
    Head,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    multiple,
    notes_for,
    paragraph,
    steps,
)

_SIZES = {"connections-1": 1, "connections-2": 2, "connections-4": 4, "connections-16": 16}
"""Scenario, and its connections."""
_STEP = "c16"
_RATE = "read.rate"
_FIGURES = {
    _RATE: N_("multi-gets/s"),
    "read.latency.p50": N_("p50, ms"),
    "read.latency.p99": N_("p99, ms"),
    "read.error.count": N_("errors"),
}

BySize = Mapping[int, CellTable]
"""By connections: the clients of a database."""


def sections(context: Context) -> list[Section]:
    """A table a database; none where no size was run."""
    databases: dict[str, dict[int, CellTable]] = {}
    for scenario, size in _SIZES.items():
        for clients in CellTable.of(context, scenario).at(_STEP).peers:
            databases.setdefault(clients.mode, {})[size] = clients
    if not databases:
        return []
    _ = context.words.gettext
    said = _(
        "16 callers read 50 keys each, without a pause, through a pool of at most so many "
        "connections: to Aerospike's bench server, to each node. A caller without a connection "
        "waits in the library's queue, or gets an error, as the library has it. Where a free "
        "connection goes to the caller that has just returned it, p50 is short and p99 has the "
        "waiting of the others. Whoever has errors has answered other calls: its figures stand in "
        "parentheses and have no rank. Clients whose callers share a connection, and have no pool, "
        "are in the chapter on calls in flight. The smallest pool whose rate is that of the "
        "largest is enough for so many callers."
    )
    tables = [_table(context, by_size) for _mode, by_size in sorted(databases.items())]
    title = _("Connections of a pool")
    return [Section(title, "connections", (paragraph(said), *tables))]


def connections(context: Context, number: int) -> str:
    """The number of connections, in words."""
    said = context.words.ngettext("{n} connection", "{n} connections", number)
    return said.format(n=number)


def _table(context: Context, by_size: BySize) -> Table:
    """A column a size."""
    _ = context.words.gettext
    names = [n for n in context.contenders if any(n in one.contenders for one in by_size.values())]
    groups = tuple(_group(context, by_size, name) for name in names)
    columns = tuple(Column(connections(context, size)) for size in by_size)
    title = next(iter(by_size.values())).mode_title
    return Table(title, (_("client"), ""), columns, groups, notes_for(context, groups))


def _group(context: Context, by_size: BySize, name: str) -> RowGroup:
    _ = context.words.gettext
    rows = [
        Row(Head(_(title)), tuple(_ranked(one, name, metric) for one in by_size.values()))
        for metric, title in _FIGURES.items()
    ]
    least, *more = by_size
    if more:
        base = by_size[least].metric(name, _STEP, _RATE)
        others = (multiple(by_size[size].metric(name, _STEP, _RATE), base) for size in more)
        title = _("times the rate with {pool}").format(pool=connections(context, least))
        rows.append(Row(Head(title), (Absent(DASH), *others)))
    # Without the badge of one size: which of them is invalid is seen in its own column.
    return RowGroup(tuple(rows), Head(context.name(name), None, context.colour(name)))


def _ranked(clients: CellTable, name: str, metric: str) -> Plain:
    found = clients.cell(name)
    if found is None:
        return Absent(DASH)
    return steps.ranked_figure(clients, found, FigureColumn(metric))
