"""Parts of a request's time: spans on its critical path, outside in."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.report.api import (
    DASH,
    N_,
    Absent,
    Block,
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

SPANS = (
    ("queue", N_("due → sent")),
    ("http", N_("outside of the application")),
    ("keys", N_("keys")),
    ("hop_out", N_("hop out")),
    ("call", N_("client call")),
    ("hop_back", N_("hop back")),
    ("convert", N_("convert")),
    ("wait", N_("wait for the others")),
    ("features", N_("features")),
    ("inference", N_("inference")),
    ("render", N_("response")),
    ("server-time", N_("whole application")),
    ("reading", N_("reading")),
)
"""Operations that are spans, in the order of a request; the last but one holds those before it,
the last one what the study calls read: from the first call until plain rows of all sets are
there."""

LEVELS = ("mean", "p95")
_NAMED = ("inference",)
"""Spans that the study names as they are named here."""

_SCENARIOS = (
    *("asgi", "asgi-limited", "serving", "serving-gateway", "serving-replicas"),
    *("serving-merge", "serving-ramp", "serving-paced"),
)


def sections(context: Context) -> list[Section]:
    """A table a step of every scenario that goes through the application."""
    _ = context.words.gettext
    tables = [
        table
        for name in _SCENARIOS
        if (grid := CellTable.of(context, name))
        for table in _tables(name, grid)
    ]
    if not tables:
        return []
    said = _(
        "Means, so that spans add up; below them the 95th percentile, which does not add up. Of "
        "calls at once the spans are those of the call that ended last. A span that a client "
        "does not have is left empty: only a blocking client hops to a thread and back, and what "
        "an asynchronous one spends converting within its own call is in the call. The "
        "application tells its spans in the header Server-Timing; what is outside of it is the "
        "generator's time less that. “Reading” is measured by itself, from the first call until "
        "the plain rows of all sets are there: it is the study's aerospike step, and contains the "
        "spans from hop out to the wait for the others."
    )
    blocks: list[Block] = [paragraph(said), *tables]
    return [Section(_("Where the time goes"), "spans", tuple(blocks))]


def _tables(name: str, grid: CellTable) -> list[Table]:
    context, _ = grid.context, grid.context.words.gettext
    known = [(n, title) for n, title in SPANS if n in grid.scenario.operations]
    title = grid.scenario.title.of(context.language)
    columns = (
        Column(_("generator's time"), "ms"),
        *(Column(_(title), "ms") for _s, title in known),
    )
    made = []
    for step in grid.steps:
        groups = tuple(
            RowGroup(
                (
                    *(_row(grid, each, step, [s for s, _t in known], level) for level in LEVELS),
                    *_published(context, f"{name}.{step}", each, [s for s, _t in known]),
                ),
                grid.head(each),
            )
            for each in grid.at(step).contenders
        )
        caption = f"{title} · {grid.step_title(step)}"
        stub = (_("contender"), "")
        made.append(Table(caption, stub, columns, groups, notes_for(context, groups)))
    return made


def _row(grid: CellTable, name: str, step: str, spans: Sequence[str], level: str) -> Row:
    clock = "response" if grid.scenario.is_open else "latency"
    cells = (
        grid.shown(name, step, FigureColumn(f"request.{clock}.{level}")),
        *(_shown(grid, name, step, span, level) for span in spans),
    )
    return Row(Head(grid.context.words.gettext(level)), cells)


def _shown(grid: CellTable, name: str, step: str, span: str, level: str) -> Plain:
    metric = f"{span}.latency.{level}"
    found = grid.cell(name, step)
    figure = found.metrics.get(metric) if found else None
    if figure is None or figure.value is None:
        return Absent(DASH)
    return grid.shown(name, step, FigureColumn(metric))


def _published(context: Context, place: str, name: str, spans: Sequence[str]) -> list[Row]:
    """The study's breakdown: what it calls "http" is its client's time for a request."""
    _ = context.words.gettext
    rows: list[Row] = []
    for level, ending in (("mean", ""), ("p95", ".p95")):
        own = {"server-time": f"server{ending}", "reading": f"read{ending}"}
        own |= {span: f"{span}{ending}" for span in _NAMED}
        keys = [f"{place}.{own[span]}" if span in own else "" for span in spans]
        keys = [f"{place}.http{ending}", *keys]
        title = _("published, {level}").format(level=_(level))
        rows += published_row(context, name, keys, title)
    return rows
