"""Choice of a client by situation, with the figures of this run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
    cell,
    notes_for,
    paragraph,
)


@dataclass(frozen=True)
class Situation:
    """A reader's situation, and the figure that decides it."""

    title: str
    scenario: str
    step: str
    metric: str
    figure: str
    highest: bool = False


_SITUATIONS = (
    Situation(
        N_("one process that reads multi-gets of 200 keys"),
        *("client", "s1-k200", "read.latency.p50", N_("p50, ms")),
    ),
    Situation(
        N_("many nodes at a distance"),
        *("eight-nodes", "found-k200", "read.latency.p50", N_("p50, ms")),
    ),
    Situation(
        N_("many callers at once"), *("in-flight", "c64", "read.rate", N_("calls/s")), highest=True
    ),
    Situation(
        N_("least processor time at a given rate"),
        *("client-paced", "k200", "cpu.mean", N_("CPU, %")),
    ),
    Situation(
        N_("an asynchronous application without a model"),
        *("asgi", "c5", "request.latency.p95", N_("p95, ms")),
    ),
    Situation(
        N_("multi-gets behind a model"),
        *("serving", "single", "request.latency.p95", N_("p95, ms")),
    ),
    Situation(
        N_("single records, mostly reads"), *("ycsb", "b", "ycsb.rate", N_("operations/s")), True
    ),
    Situation(
        N_("single records, as many writes as reads"),
        *("ycsb", "a", "ycsb.rate", N_("operations/s")),
        highest=True,
    ),
    Situation(
        N_("changes of what was read"), *("ycsb", "f", "ycsb.rate", N_("operations/s")), True
    ),
    Situation(
        N_("ranges of keys"), *("ycsb-scan", "e", "ycsb.rate", N_("operations/s")), highest=True
    ),
)


def sections(context: Context) -> list[Section]:
    """A row a situation whose scenario was run, and a database; None without any."""
    groups = tuple(group for one in _SITUATIONS if (group := _group(context, one)) is not None)
    if not groups:
        return []
    _ = context.words.gettext
    said = _(
        "For each situation the scenario that is most like it, and for each database the client "
        "with the best valid figure of this run. A figure of another database is another "
        "database's: what it keeps, and how safely, is not the same. Where the difference to the "
        "next client is within the intervals, the table of the scenario says so by its ranks. "
        "Figures of Aerospike's clients are against a bench server and say nothing of a database."
    )
    columns = (
        Column(_("client"), align="left"),
        Column(_("figure")),
        Column(_("measured as"), align="left"),
    )
    stub = (_("situation"), _("database"))
    table = Table(_("Choice by situation"), stub, columns, groups, notes_for(context, groups))
    return [Section(_("Choice by situation"), "choice", (paragraph(said), table))]


def _group(context: Context, one: Situation) -> RowGroup | None:
    _ = context.words.gettext
    grid = CellTable.of(context, one.scenario)
    if not grid or one.step not in grid.steps:
        return None
    modes: dict[str, list[str]] = {}
    for name in grid.contenders:
        if name not in context.references:
            modes.setdefault(context.mode_of(name), []).append(name)
    rows = tuple(_row(grid, one, mode, names) for mode, names in sorted(modes.items()))
    return RowGroup(rows, Head(_(one.title))) if rows else None


def _row(grid: CellTable, one: Situation, mode: str, names: Sequence[str]) -> Row:
    _ = grid.context.words.gettext
    ordered = grid.best_first(names, one.step, one.metric, highest=one.highest)
    entries: tuple[Plain, ...] = (Absent(_("no valid figure")), Absent(DASH), cell(_(one.figure)))
    if ordered:
        shown = grid.shown(ordered[0], one.step, FigureColumn(one.metric))
        entries = (cell(grid.context.name(ordered[0])), shown, cell(_(one.figure)))
    return Row(Head(grid.context.mode_title(mode)), entries)
