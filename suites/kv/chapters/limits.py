"""Limits of a client: requests/s that are answered in time, calls in flight, pool sizes."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.report.api import (
    N_,
    CellTable,
    Column,
    Context,
    FigureColumn,
    Head,
    Row,
    RowGroup,
    Section,
    Table,
    notes_for,
    paragraph,
    steps,
)

from .connections import connections

_CAPACITIES = (
    ("client-capacity", N_("multi-gets/s, p95 within 50 ms"), 20),
    ("serving-capacity", N_("requests/s, p95 within 200 ms"), 2),
)
"""Scenario, what is counted, and how many of it a second each of its users asks for."""

_POOLS = {"pool-1": 1, "pool": 2, "pool-5": 5, "pool-20": 20}
"""Scenario, and its connections."""

_CALLERS = {
    "callers": N_("awaited"),
    "callers-blocking": N_("blocked"),
    "callers-threads": N_("blocked, 64 threads"),
}
"""Scenario, and what its callers do."""


def sections(context: Context) -> list[Section]:
    """The sections whose scenarios were run."""
    made = (_capacity(context), _in_flight(context), _pools(context), _callers(context))
    return [section for section in made if section is not None]


def _capacity(context: Context) -> Section | None:
    _ = context.words.gettext
    tables = [
        _held(grid, _(counted), each)
        for name, counted, each in _CAPACITIES
        if (grid := CellTable.of(context, name))
    ]
    if not tables:
        return None
    said = _(
        "The largest load at which 95 of 100 answers still come in time, from when they were due, "
        "and none fails. Where the search ended without a load that does not hold, the figure is "
        "the least there is; how each search went is told in the chapter of its scenario."
    )
    return Section(_("Requests/s that are answered in time"), "in-time", (paragraph(said), *tables))


def _held(grid: CellTable, counted: str, each: int) -> Table:
    context = grid.context
    column = FigureColumn("capacity.verified", factor=each, unit="/s")
    groups = (
        RowGroup(
            tuple(Row(grid.head(name), (grid.shown(name, "", column),)) for name in grid.contenders)
        ),
    )
    stub = (context.words.gettext("client"),)
    notes = notes_for(context, groups)
    return Table(counted, stub, (Column(counted, "/s"),), groups, notes)


def _in_flight(context: Context) -> Section | None:
    grid = CellTable.of(context, "in-flight")
    if not grid:
        return None
    _ = context.words.gettext
    said = _(
        "One key a call. A client that pipelines sends calls of several callers one after the "
        "other on one connection without waiting for answers; one with a pool needs a connection "
        "a call. Whoever gets no more calls a second from more callers has reached its own limit "
        "or the server's: the latency tells the rest."
    )
    metrics = {
        _("calls/s"): "read.rate",
        "p50, ms": "read.latency.p50",
        "p99, ms": "read.latency.p99",
    }
    groups = [
        RowGroup(steps.rows_of(grid, name, metrics), grid.head(name)) for name in grid.contenders
    ]
    titles = [grid.step_title(step) for step in grid.steps]
    table = steps.sheet(context, _("Calls in flight"), titles, groups)
    title = _("Calls in flight: pipelining and pools")
    return Section(title, "in-flight", (paragraph(said), table))


def _pools(context: Context) -> Section | None:
    """A column a size."""
    _ = context.words.gettext
    titles = {name: connections(context, size) for name, size in _POOLS.items()}
    table = _side_by_side(context, _("Pool sizes"), titles, "c20")
    if table is None:
        return None
    said = _(
        "20 callers read 50 keys each from one node that takes 20 ms a multi-get. What a caller "
        "without a connection gets is the library's choice: a place in a queue, or an error."
    )
    return Section(_("Pool sizes"), "pool-sizes", (paragraph(said), table))


def _callers(context: Context) -> Section | None:
    """A column a way to wait for an answer."""
    _ = context.words.gettext
    title = _("Waiting for an answer in .NET")
    titles = {name: _(way) for name, way in _CALLERS.items()}
    table = _side_by_side(context, title, titles, "c50")
    if table is None:
        return None
    said = _(
        "50 callers read 50 keys each. Where code is not asynchronous all the way, each of them "
        "holds a thread of .NET's pool until its answer is there, and the answers need threads of "
        "that pool as well. The pool begins with one for each processor and adds others only after "
        "a pause; SetMinThreads lets it begin with more."
    )
    return Section(title, "callers", (paragraph(said), table))


def _side_by_side(
    context: Context, title: str, titles: Mapping[str, str], step: str
) -> Table | None:
    """A column for each of several scenarios, of those that were run; None without any."""
    grids = {name: grid for name in titles if (grid := CellTable.of(context, name))}
    if not grids:
        return None
    _ = context.words.gettext
    figures = {
        _("multi-gets/s"): "read.rate",
        "p99, ms": "read.latency.p99",
        _("errors"): "read.error.count",
    }
    heads = {name: grid.head(name) for grid in grids.values() for name in grid.contenders}
    groups = tuple(
        RowGroup(
            tuple(
                Row(
                    Head(figure),
                    tuple(g.shown(name, step, FigureColumn(metric)) for g in grids.values()),
                )
                for figure, metric in figures.items()
            ),
            head,
        )
        for name, head in heads.items()
    )
    columns = tuple(Column(titles[name]) for name in grids)
    return Table(title, (_("client"), ""), columns, groups, notes_for(context, groups))
