"""Tables and charts of the same clients behind ASGI, and behind a model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from wirelab.report.api import (
    DASH,
    Absent,
    Block,
    Cell,
    CellTable,
    Chart,
    Column,
    Context,
    FigureColumn,
    Head,
    Paragraph,
    Row,
    RowGroup,
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

RAMP = "serving-ramp"
_OVER_USERS = (RAMP, "asgi-in-flight")
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

_GATEWAY = "serving-gateway"
"""The scenario to which the study's difference of client and server belongs."""

_PUBLISHED_AS = dict.fromkeys(("serving-untimed", _GATEWAY, "serving-replicas"), "serving")
"""Scenarios whose published figures stand under the name of another one."""


def by_whom(grid: CellTable) -> Paragraph:
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


def tables(grid: CellTable, scenario: str) -> list[Block]:
    context, _ = grid.context, grid.context.words.gettext
    clock = "response" if grid.scenario.is_open else "latency"
    blocks: list[Block] = []
    if scenario in _OVER_USERS:
        blocks += _over_users(grid)
    if scenario == RAMP:
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


def _is_of(steps: Collection[str], cell: Cell) -> bool:
    return cell.step in steps


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
            grid.where(partial(_is_of, steps)),
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
    figures = (*_LEVELS, "tps", "errors", "cpu", "rss")
    keys = [f"{key}.{figure}" for figure in figures]
    in_server = [f"{key}.server.{figure}" for figure in figures]
    own = [FigureColumn(f"server-time.latency.{level}") for level in _LEVELS]
    inside = [grid.shown(name, step, column) for column in own]
    beside = [Absent(DASH) for _column in columns[len(own) :]]
    return RowGroup(
        (
            Row(Head(_("measured")), tuple(grid.shown(name, step, column) for column in columns)),
            Row(Head(_("whole application")), (*inside, *beside)),
            *published_row(context, name, keys),
            *(
                published_row(context, name, in_server, _("whole application, published"))
                if grid.scenario_name == _GATEWAY
                else ()
            ),
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
