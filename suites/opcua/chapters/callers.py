"""Many callers at a time: sessions beside each other, and what one session carries."""

from __future__ import annotations

from wirelab.report.api import (
    N_,
    Block,
    CellTable,
    Choice,
    Column,
    Context,
    FigureColumn,
    Head,
    Row,
    RowGroup,
    Section,
    Table,
    advice,
    capacity_held,
    notes_for,
    paragraph,
    published_cell,
    stepped,
    steps,
)

from . import processes

_SESSIONS, _CAPACITY = "sessions", "capacity"
_HELD = "capacity.verified"
_RATE = FigureColumn("read.rate")

_FIGURES = {
    "read.response.p50": N_("Response of reads by number of sessions, p50"),
    "read.response.p95": N_("Response of reads by number of sessions, p95"),
    "connect.latency.p50": N_("Opening a session beside those that are open, p50"),
    "read.miss.ratio": N_("Reads after their deadline of a second"),
    "cpu.mean": N_("CPU of the client by number of sessions"),
    "rss.max": N_("Memory of the client by number of sessions"),
}


def sections(context: Context) -> list[Section]:
    """The section on many callers; none where neither was run."""
    _ = context.words.gettext
    blocks = [*_sessions(context), *processes.blocks(context), *_capacity(context)]
    title = _("Many callers at a time")
    return [Section(title, "callers", tuple(blocks))] if blocks else []


def sessions_state(context: Context) -> str:
    """The state of the study's limit to one session, in this run."""
    _ = context.words.gettext
    together, apart = bool(stepped(context, _SESSIONS)), processes.most_measured(context)
    if not together and not apart:
        return _("not measured in this run: ./wl run opcua --scenario sessions")
    said = {
        (True, False): _("measured with up to 200 sessions of one process: {section}"),
        (False, True): _("measured with up to {n} processes of one session each: {section}"),
        (True, True): _(
            "measured with up to 200 sessions of one process, and up to {n} processes of one "
            "session each: {section}"
        ),
    }
    section = _("Many callers at a time")
    return said[together, bool(apart)].format(n=apart, section=section)


def capacity_measured(context: Context) -> bool:
    """Whether the largest load of a session was searched."""
    return bool(CellTable.of(context, _CAPACITY))


def throughput_choice(context: Context) -> Choice:
    """Choose a client for high throughput: by how many callers its session holds."""
    return advice.by_metric(context, CellTable.of(context, _CAPACITY), _HELD)


# ------------------------------------------------------------------------------- sessions


def _sessions(context: Context) -> list[Block]:
    _ = context.words.gettext
    table = stepped(context, _SESSIONS)
    if not table:
        return []
    said = _(
        "One process opens 1, 10, 50 and 200 sessions, each with a channel and a connection of its "
        "own, and reads 100 tags in each of them once a second, at times spread evenly. The "
        "study tested one session alone."
    )
    tables = [
        steps.across(table, _(caption), FigureColumn(metric), published=False)
        for metric, caption in _FIGURES.items()
        if any(metric in cell.metrics for cell in table.cells)
    ]
    return [paragraph(said), *tables]


# ------------------------------------------------------------------------------- capacity


def _capacity(context: Context) -> list[Block]:
    """Callers that a session holds, the tags a second that these read, and the study's rate."""
    _ = context.words.gettext
    table = CellTable.of(context, _CAPACITY)
    if not table:
        return []
    operation = table.scenario.operations["read"]
    each = operation.items * 1e9 / table.scenario.period
    said = _(
        "Callers who share one session, each of whom reads {items} tags every 100 ms: the most at "
        "which no read failed, p99 of the response was 100 ms at most, and the server used less "
        "than 80 % of its core. Tags a second are callers × {each:,}. The study recommends for "
        "high throughput by rates that it asked of all alike."
    ).format(items=operation.items, each=round(each))
    tags = FigureColumn(_HELD, factor=each, unit="tag/s")
    rows = tuple(_row(table, name, tags) for name in table.yardsticks_last)
    groups = (RowGroup(rows),)
    columns = (
        Column(_("callers")),
        Column(_("tags a second"), "tag/s"),
        Column(_("published rate"), "tag/s"),
    )
    notes = notes_for(context, groups)
    return [
        paragraph(said),
        Table(_("What one session carries"), (_("contender"),), columns, groups, notes),
    ]


def _row(table: CellTable, name: str, tags: FigureColumn) -> Row:
    context = table.context
    cells = (
        capacity_held(context, table.cell(name, "")),
        table.shown(name, "", tags),
        published_cell(context, context.key_of(name) or "", _RATE),
    )
    return Row(Head(context.name(name), None, context.colour(name)), cells)
