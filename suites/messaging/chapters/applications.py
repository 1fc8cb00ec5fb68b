"""The study's figures 1 and 2: a mesh of applications against a hub, as they grow in number."""

from __future__ import annotations

from wirelab.report.api import (
    Block,
    CellTable,
    Column,
    Context,
    Figure,
    Head,
    Row,
    RowGroup,
    Section,
    Table,
    chart_by_step,
    paragraph,
    plain,
    steps,
)

from .cells import ELAPSED, by_mode

MESH = "mesh"


def applications(context: Context) -> list[Section]:
    """The section on applications; none where the scenario was not run."""
    _ = context.words.gettext
    grid = CellTable.of(context, "applications")
    if not grid:
        return []
    said = _(
        "The study draws applications that are all connected to each other (figure 1) and to a "
        "broker alone (figure 2), and says that a new one changes all others in a mesh. Here "
        "each application joins, then sends 20 messages of 1,000 bytes to all. Joining lasts until "
        "the new one gets what everybody sends: in a mesh it connects to each of the others, at a "
        "hub to the hub."
    )
    blocks: list[Block] = [paragraph(said), _connections(grid)]
    titles = [grid.step_title(step) for step in grid.steps]
    metrics = {
        _("one more application, ms"): "connect.latency.p50",
        _("20 messages of each to all, s"): ELAPSED,
        _("memory of the applications, MB"): "rss.max",
        _("memory of server or broker, MB"): "server.rss.max",
    }
    for mode, names in by_mode(context, grid.contenders).items():
        groups = [RowGroup(steps.rows_of(grid, name, metrics), grid.head(name)) for name in names]
        caption = _("Applications · {mode}").format(mode=mode)
        blocks.append(steps.sheet(context, caption, titles, groups))
    blocks += _charts(grid)
    title = _("A mesh against a hub: the study's figures 1 and 2")
    return [Section(title, "applications", tuple(blocks))]


def _connections(grid: CellTable) -> Table:
    """Counted by what the two are, not measured: each pair, or each application."""
    _ = grid.context.words.gettext
    numbers = [int(grid.all_steps[step].users) for step in grid.steps]
    pairs = [number * (number - 1) // 2 for number in numbers]
    told = {
        _("mesh: connections"): pairs,
        _("mesh: connections of one more"): numbers,
        _("hub: connections"): numbers,
        _("hub: connections of one more"): [1] * len(numbers),
    }
    rows = tuple(
        Row(Head(title), tuple(Figure(f"{count:,}") for count in counts))
        for title, counts in told.items()
    )
    columns = tuple(Column(grid.step_title(step)) for step in grid.steps)
    caption = _("Connections between applications, as many as the two have by what they are")
    return Table(caption, ("",), columns, (RowGroup(rows),))


def _charts(grid: CellTable) -> list[Block]:
    _ = grid.context.words.gettext
    groups = list(by_mode(grid.context, grid.contenders).items())
    drawn = (
        (_("Figures 1 and 2: one more application by their number"), "connect.latency.p50"),
        (_("Figures 1 and 2: memory of the applications by their number"), "rss.max"),
    )
    said = plain(_("With so many applications, with their intervals."))
    charts = (chart_by_step(grid, title, said, metric, groups) for title, metric in drawn)
    return [chart for chart in charts if chart is not None]
