"""Environments B and C: the same clients behind ASGI, and behind a model."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.report.api import (
    DASH,
    Absent,
    Block,
    CellTable,
    Chart,
    Column,
    Context,
    FigureColumn,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Section,
    Table,
    chart_by_step,
    latency_and_users,
    notes_for,
    paragraph,
    plain,
    published_row,
)

from . import recipe
from .against import NATIVE, Compared, changes

_RAMP = "serving-ramp"
_OVER_USERS = (_RAMP, "asgi-in-flight")
"""Scenarios whose steps are numbers of users."""

_ONNX = "onnxruntime"
"""The parameter's default; anything else is the folder in which PyTorch is installed."""

_LEVELS = ("mean", "p50", "p90", "p95", "p99")
_COMPARED = {
    **{level: Compared(f"request.latency.{level}", level) for level in _LEVELS},
    "TPS": Compared("request.rate", "tps", more_is_better=True),
}
_COMPARED_TOTAL = {
    **{level: Compared(f"server-time.latency.{level}", level) for level in _LEVELS},
    "TPS": _COMPARED["TPS"],
}
"""Figures of environment B: its published times are the application's own, the study's total."""

_OF_BOTH = {"asgi": _COMPARED_TOTAL, "serving": _COMPARED, "serving-untimed": _COMPARED}
"""Scenarios in which the study puts its client beside the official one, and by which figures."""

_PUBLISHED_AS = {"serving-untimed": "serving", "serving-replicas": "serving"}
"""Scenarios whose published figures stand under the name of another one."""


def sections(context: Context) -> list[Section]:
    """The sections whose scenarios were run."""
    _ = context.words.gettext
    told = [
        Section(
            _("Behind ASGI: the study's environment B"),
            "asgi",
            _told(
                context,
                ("asgi",),
                _(
                    "FastAPI and uvicorn, nine multi-gets at once for each request, features, no "
                    "model. Times are the generator's; below them stand the application's own, "
                    "which is what the study calls total."
                ),
            ),
        ),
        Section(
            _("Behind ASGI: how many requests at once"),
            "asgi-in-flight",
            _told(
                context,
                ("asgi-in-flight",),
                _(
                    "Back-pressure is a limit of requests in flight. Where one more brings no more "
                    "requests a second it only waits: the limit belongs before that."
                ),
            ),
        ),
        Section(
            _("Overloaded behind ASGI: what a limit of 1 s a call does"),
            "asgi-limited",
            _told(
                context,
                ("asgi-limited",),
                _(
                    "Each node takes 200 ms a multi-get, and a call may last 1 s, the default of "
                    "Aerospike's clients. A client on asyncio hands all calls to its library at "
                    "once, and their time runs while they wait there; after many have run out, it "
                    "refuses more for a while. Calls behind an executor wait in its queue, where "
                    "no limit counts: no errors, but waits of seconds. Who has errors has answered "
                    "other requests, so its times cannot be compared; the study says so of its "
                    "own second run, with 56 errors in 200 requests."
                ),
            ),
        ),
        Section(
            _("Serving a model: the study's environment C"),
            "serving",
            _told(
                context,
                ("serving", "serving-merge"),
                _(
                    "Ten users without pauses: keys, nine sets with 200 keys each, features, the "
                    "model's scores for 200 candidates, the response. Each contender has a process "
                    "of its own; the study's shared one."
                ),
            ),
        ),
        Section(
            _("Serving a model, spans not measured"),
            "serving-untimed",
            _told(
                context,
                ("serving-untimed",),
                _(
                    "The study's figures of the generator are of runs with “stage OFF”: they stand "
                    "here, and these decide its statements on environment C where this was run. "
                    "The application looks at no clock between its spans and tells nothing; "
                    "beside the scenario before it, that is what measuring costs."
                ),
            ),
        ),
        Section(
            _("Serving behind a gateway"),
            "serving-gateway",
            _told(
                context,
                ("serving-gateway",),
                _(
                    "The one process of the scenario serving behind nginx: what it adds is the "
                    "difference of the times outside of the application, in the chapter on where "
                    "the time goes. The study explains 13 ms by its gateway; its own p95s, 189 ms "
                    "at the client and 202 ms in the server, differ by 13 ms the other way round."
                ),
            ),
        ),
        Section(
            _("Serving by two replicas behind a gateway"),
            "serving-replicas",
            _told(
                context,
                ("serving-replicas",),
                _(
                    "Two replicas of two processes each, to which nginx gives requests in turn, as "
                    "the study's two pods. Each replica is a role of its own, with processors of "
                    "its own where the machine has enough. What becomes of them with less of the "
                    "machine is told in a chapter of its own. Processor time and memory are those "
                    "of one replica. The published figures are of runs with “stage OFF”, in which "
                    "the application looked at no clock; here it does."
                ),
            ),
        ),
        Section(
            _("The ramp: up to 20, up to 50, and down again"),
            "serving-ramp",
            _told(
                context,
                (_RAMP,),
                _(
                    "The study's line of users: 20 s up to 20, 20 s up to 50, 20 s down to none. "
                    "Users come and go one by one, and ask again when their last answer has come; "
                    "each half of a leg has figures of its own. More users than one process can "
                    "answer at once queue before it: then the latency grows with the users. What "
                    "the way down has more than the same users on the way up is what the peak left "
                    "behind. The study has one figure of all of it, which stands beside all "
                    "steps together, the first table."
                ),
            ),
        ),
        Section(
            _("Serving at a given rate"),
            "serving-paced",
            _told(
                context,
                ("serving-paced",),
                _(
                    "Twenty requests a second, due at given times whatever the answers do; times "
                    "include the waiting of requests that came late because others were slow."
                ),
            ),
        ),
    ]
    return [section for section in told if section.blocks]


def _told(context: Context, names: tuple[str, ...], said: str) -> tuple[Block, ...]:
    """Introduction and tables of these scenarios; empty where none of them was run."""
    if not (grid := CellTable.of(context, *names)):
        return ()
    by = (_by_whom(grid),) if names[0] == "serving" else ()
    return (paragraph(said), *by, *_tables(grid, names[0]))


def _by_whom(grid: CellTable) -> Paragraph:
    """Tell what runs the model, and how another one does."""
    _ = grid.context.words.gettext
    runs = grid.cells[0].parameters.get("inference", _ONNX)
    said = (
        _("ONNX Runtime runs the model.")
        if runs == _ONNX
        else _("PyTorch runs the model, from a folder of your own.")
    )
    otherwise = _(
        "PyTorch does where --set inference=FOLDER names a folder in which you have installed it: "
        "what the package index has of it brings CUDA along, so wirelab installs none. Under "
        "another interpreter, such as a free-threaded Python, applications run where --python "
        "names it."
    )
    return paragraph(f"{said} {otherwise}")


def _tables(grid: CellTable, scenario: str) -> list[Block]:
    context, _ = grid.context, grid.context.words.gettext
    clock = "response" if grid.scenario.is_open else "latency"
    blocks: list[Block] = []
    if scenario in _OVER_USERS:
        blocks += _over_users(grid)
    if scenario == _RAMP:
        if line := latency_and_users(context, grid.whole, "request"):
            blocks.append(line)
        if grid.whole:
            groups = [_group(grid, scenario, name, "", clock) for name in grid.whole.contenders]
            blocks.append(_table(context, _("all steps"), groups))
    for step in grid.steps:
        here = grid.at(step)
        key = f"{_PUBLISHED_AS.get(here.scenario_name, here.scenario_name)}.{step}"
        groups = [_group(grid, key, name, step, clock) for name in here.contenders]
        blocks.append(_table(context, grid.step_title(step), groups))
    if scenario in _OF_BOTH:
        caption = _("{native}: change against the official client").format(native=NATIVE)
        own = _PUBLISHED_AS.get(scenario, scenario)
        here = grid.where(lambda cell: cell.scenario == scenario)
        places = {step: f"{own}.{step}" for step in here.steps}
        blocks += changes(here, caption, places, _OF_BOTH[scenario])
    return [*blocks, *recipe.blocks(context, scenario)]


def _over_users(grid: CellTable) -> list[Chart]:
    """Latency over active users; of a ramp, on its way up and on its way down."""
    _ = grid.context.words.gettext
    rising = [name for name in grid.steps if grid.all_steps[name].lanes is None]
    falling = [name for name in grid.steps if name not in rising]
    ways = (
        (
            rising,
            _("Latency over active users"),
            _(
                "p95 by active users, with its interval; of a ramp on the way up, each part at the "
                "middle of its users."
            ),
        ),
        (
            falling,
            _("Latency over active users on the way down"),
            _(
                "p95 by the users who are left, with its interval, each part at the middle of its "
                "users."
            ),
        ),
    )
    charts = [
        chart_by_step(
            grid.where(lambda cell, steps=steps: cell.step in steps),
            title,
            plain(caption),
            "request.latency.p95",
            [("", grid.contenders)],
            active=True,
        )
        for steps, title, caption in ways
        if steps
    ]
    return [chart for chart in charts if chart is not None]


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
