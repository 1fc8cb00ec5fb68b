"""Both clients in one process, as the study compares them, beside each in a process of its own."""

from __future__ import annotations

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
    notes_for,
    paragraph,
    published_row,
)

BOTH = "aerospike-both"
_CLIENTS = (
    ("official-async", "official-time", N_("official client")),
    ("aerospike-py", "native-time", N_("aerospike-py")),
)
"""Both clients: its name alone, the operation that is its time here, and its title."""

_LEVELS = ("mean", "p50", "p90", "p95", "p99")


def sections(context: Context) -> list[Section]:
    """The section on both clients in one process; none where the scenario was not run."""
    shared = CellTable.of(context, "serving-shared")
    if not shared:
        return []
    _ = context.words.gettext
    said = _(
        "Ten users ask one process in which both clients are: requests with an even number are the "
        "official client's, the others aerospike-py's, so each waits for the other's conversion "
        "under the same GIL and event loop. Times are the application's own, from its first line "
        "until the response is ready, as the study's are. Below them stands the same time of each "
        "client in a process of its own, with ten users of its own."
    )
    alone = CellTable.of(context, "serving")
    tables = [_table(shared, alone, step) for step in shared.steps]
    return [Section(_("Both clients in one process"), "serving-shared", (paragraph(said), *tables))]


def _table(shared: CellTable, alone: CellTable, step: str) -> Table:
    context, _ = shared.context, shared.context.words.gettext
    groups = []
    for name, operation, title in _CLIENTS:
        together = _row(shared, BOTH, step, operation)
        own = _row(alone, name, step, "server-time")
        keys = [f"serving.{step}.{level}" for level in _LEVELS]
        rows = (
            Row(Head(_("in one process")), together),
            Row(Head(_("in a process of its own")), own),
            *published_row(context, name, keys),
        )
        groups.append(RowGroup(rows, Head(_(title))))
    columns = tuple(Column(_(level), "ms") for level in _LEVELS)
    notes = notes_for(context, groups)
    return Table(shared.step_title(step), (_("client"), ""), columns, tuple(groups), notes)


def _row(grid: CellTable, name: str, step: str, operation: str) -> tuple[Plain, ...]:
    if not grid or grid.cell(name, step) is None:
        return tuple(Absent(DASH) for _level in _LEVELS)
    return tuple(
        grid.shown(name, step, FigureColumn(f"{operation}.latency.{level}")) for level in _LEVELS
    )
