"""Where the time of a request goes: stages on its critical path, outside in."""

from __future__ import annotations

from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Block,
    Column,
    Head,
    Paragraph,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    plain,
)
from wirelab.report.grid import Grid
from wirelab.report.tabulate import DASH, FigureColumn
from wirelab.report.wording import N_

STAGES = (
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
)
"""Operations that are stages, in the order of a request; the last one holds those before it."""

_SCENARIOS = ("asgi", "asgi-limited", "serving", "serving-merge", "serving-ramp", "serving-paced")


def sections(context: Context) -> list[Section]:
    """A table a step of every scenario that goes through the application."""
    _ = context.words.gettext
    tables = [
        table
        for name in _SCENARIOS
        if (grid := Grid.of(context, name)) is not None
        for table in _tables(grid)
    ]
    if not tables:
        return []
    said = _(
        "Means, so that stages add up; below them the 95th percentile, which does not add up. Of "
        "calls at once the stages are those of the call that ended last. A stage that a client "
        "does not have is left empty: only a blocking client hops to a thread and back, and what "
        "an asynchronous one spends converting within its own call is in the call. The "
        "application tells its stages in the header Server-Timing; what is outside of it is the "
        "generator's time less that."
    )
    blocks: list[Block] = [Paragraph(plain(said)), *tables]
    return [Section(_("Where the time goes"), "stages", tuple(blocks))]


def _tables(grid: Grid) -> list[Table]:
    context, _ = grid.context, grid.context.words.gettext
    known = [(n, title) for n, title in STAGES if n in grid.scenarios[0].operations]
    made = []
    for step in grid.steps:
        names = [name for name in grid.contenders if grid.cell(name, step)]
        groups = tuple(
            RowGroup(
                tuple(
                    Row(
                        Head(_(level)), tuple(_shown(grid, name, step, s, level) for s, _t in known)
                    )
                    for level in ("mean", "p95")
                ),
                grid.head(name),
            )
            for name in names
        )
        title = grid.scenarios[0].title.of(context.language)
        columns = tuple(Column(_(title), "ms") for _s, title in known)
        caption = f"{title} · {grid.step_title(step)}"
        made.append(Table(caption, (_("contender"), ""), columns, groups))
    return made


def _shown(grid: Grid, name: str, step: str, stage: str, level: str) -> Plain:
    metric = f"{stage}.latency.{level}"
    found = grid.cell(name, step)
    figure = found.metrics.get(metric) if found else None
    if figure is None or figure.value is None:
        return Absent(DASH)
    return grid.shown(name, step, FigureColumn(metric))
