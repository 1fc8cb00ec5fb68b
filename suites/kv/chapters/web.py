"""Environments B and C: the same clients behind ASGI, and behind a model."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.report.api import (
    DASH,
    Absent,
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
    notes_for,
    paragraph,
    published_row,
)

_LEVELS = ("mean", "p50", "p90", "p95", "p99")


def sections(context: Context) -> list[Section]:
    """Those whose scenarios were run."""
    _ = context.words.gettext
    told = [
        (
            ("asgi",),
            _("Behind ASGI: the source's environment B"),
            _(
                "FastAPI and uvicorn, nine batch reads at once for each request, features, no "
                "model. Times are the generator's; below them stand the application's own, which "
                "is what the source calls total."
            ),
        ),
        (
            ("asgi-limited",),
            _("Overloaded behind ASGI: what a limit of 1 s a call does"),
            _(
                "Each node takes 200 ms a batch, and a call may last 1 s, the default of "
                "Aerospike's clients. A client on asyncio hands all calls to its library at once, "
                "and their time runs while they wait there; after many have run out, it refuses "
                "more for a while. Calls behind an executor wait in its queue, where no limit "
                "counts: no errors, but waits of seconds. Who has errors has answered other "
                "requests, so its times cannot be compared; the source says so of its own second "
                "run, with 56 errors in 200 requests."
            ),
        ),
        (
            ("serving", "serving-merge"),
            _("Serving a model: the source's environment C"),
            _(
                "Ten users without pauses: keys, nine sets with 200 keys each, features, the "
                "model's scores for 200 candidates, the response. Each contender has a process of "
                "its own; the source's shared one."
            ),
        ),
        (
            ("serving-ramp",),
            _("The ramp: 20, 50, and 20 users again"),
            _(
                "More users than one process can answer at once queue before it. What the third "
                "step has more than the first one is what the peak left behind."
            ),
        ),
        (
            ("serving-paced",),
            _("Serving at a given rate"),
            _(
                "Twenty requests a second, due at given times whatever the answers do; times "
                "include the waiting of requests that came late because others were slow."
            ),
        ),
    ]
    made = []
    for names, title, said in told:
        if grid := CellTable.of(context, *names):
            made.append(Section(title, names[0], (paragraph(said), *_tables(grid, names[0]))))
    return made


def _tables(grid: CellTable, scenario: str) -> list[Block]:
    context, _ = grid.context, grid.context.words.gettext
    clock = "response" if grid.scenario.is_open else "latency"
    blocks: list[Block] = []
    for step in grid.steps:
        here = grid.at(step)
        key = f"{here.scenario_name}.{step}"
        groups = [_group(grid, key, name, step, clock) for name in here.contenders]
        blocks.append(_table(context, grid.step_title(step), groups))
    if scenario == "serving-ramp" and grid.whole:
        groups = [_group(grid, scenario, name, "", clock) for name in grid.whole.contenders]
        blocks.append(_table(context, _("all steps"), groups))
    return blocks


def _group(grid: CellTable, key: str, name: str, step: str, clock: str) -> RowGroup:
    context, _ = grid.context, grid.context.words.gettext
    columns = [
        *(FigureColumn(f"request.{clock}.{level}") for level in _LEVELS),
        FigureColumn("request.rate"),
        FigureColumn("request.error.count"),
        FigureColumn("cpu.mean"),
        FigureColumn("rss.max"),
    ]
    keys = [f"{key}.{figure}" for figure in (*_LEVELS, "tps", "errors", "cpu", "rss")]
    own = [FigureColumn(f"server-time.latency.{level}") for level in _LEVELS]
    inside = [grid.shown(name, step, column) for column in own]
    beside = [Absent(DASH) for _column in columns[len(own) :]]
    return RowGroup(
        (
            Row(Head(_("measured")), tuple(grid.shown(name, step, column) for column in columns)),
            Row(Head(_("whole application")), (*inside, *beside)),
            *published_row(context, name, keys),
        ),
        grid.head(name),
    )


def _table(context: Context, caption: str, groups: Sequence[RowGroup]) -> Table:
    _ = context.words.gettext
    columns = (
        *(Column(_(level), "ms") for level in _LEVELS),
        Column(_("requests/s")),
        Column(_("errors")),
        Column(_("CPU of the app"), "%"),
        Column(_("RSS of the app"), "MB"),
    )
    stub = (_("contender"), "")
    return Table(caption, stub, columns, tuple(groups), notes_for(context, groups))
