"""The study's figures 1 and 2: a mesh of applications against a hub, as they grow in number."""

from __future__ import annotations

from wirelab.report.api import (
    DASH,
    Absent,
    Block,
    Cell,
    CellTable,
    Column,
    Context,
    Derived,
    Figure,
    Head,
    Metric,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    chart_by_step,
    chart_of_counts,
    figure,
    paragraph,
    plain,
    steps,
)

from .cells import by_mode

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
        "each application joins, then sends 5 messages of 1,000 bytes a second to all. Joining "
        "lasts until the new one gets what everybody sends: in a mesh it connects to each of the "
        "others, at a hub to the hub."
    )
    costs = _(
        "Memory that one more application costs is what all processes have more than with fewer "
        "applications, shared by those that came in between. A runtime takes its heap as it fills "
        "it, and gives back little: some of it is garbage, and below 0 none was added."
    )
    blocks: list[Block] = [paragraph(said), *_connections(grid), paragraph(costs)]
    titles = [grid.step_title(step) for step in grid.steps]
    metrics = {
        _("one more application, ms"): "connect.latency.p50",
        _("until a message has come, ms"): "delivery.response.p50",
        _("memory of the applications, MB"): "rss.max",
        _("memory of server or broker, MB"): "server.rss.max",
    }
    for mode, names in by_mode(context, grid.contenders).items():
        groups = [
            RowGroup((*steps.rows_of(grid, name, metrics), _costs(grid, name)), grid.head(name))
            for name in names
        ]
        caption = _("Applications · {mode}").format(mode=mode)
        blocks.append(steps.sheet(context, caption, titles, groups))
    blocks += _charts(grid)
    title = _("A mesh against a hub: the study's figures 1 and 2")
    return [Section(title, "applications", tuple(blocks))]


def _connections(grid: CellTable) -> list[Block]:
    """Counted by what the two are, not measured: each pair, or each application."""
    _ = grid.context.words.gettext
    numbers = _numbers(grid)
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
    chart = chart_of_counts(
        _("Figures 1 and 2: connections by number of applications"),
        plain(
            _(
                "The mesh of the study's figure 1 and the hub of its figure 2, which it draws and "
                "does not measure: counted, a line each."
            )
        ),
        panel=(
            _("connections"),
            _("Connections by number of applications, a line for mesh and hub."),
        ),
        axes=(_("applications"), _("connections")),
        places=numbers,
        lines={_("mesh"): pairs, _("hub"): numbers},
    )
    return [Table(caption, ("",), columns, (RowGroup(rows),)), *([chart] if chart else [])]


def _numbers(grid: CellTable) -> list[int]:
    return [int(grid.all_steps[step].users) for step in grid.steps]


def _charts(grid: CellTable) -> list[Block]:
    """Measured lines: those of the mesh stand in the panel of each kind of hub."""
    _ = grid.context.words.gettext
    said = _(
        "The mesh of the study's figure 1 beside hubs, which its figure 2 draws, with so many "
        "applications."
    )
    drawn: tuple[tuple[str, str, str | Derived], ...] = (
        (
            _("Figures 1 and 2: memory of all processes by number of applications"),
            said,
            Derived(_("memory of applications and of server or broker"), _all_memory),
        ),
        (
            _("Figures 1 and 2: memory of one more application by number of applications"),
            said,
            Derived(_("memory of one more application"), lambda cell: _of_one_more(grid, cell)),
        ),
        (
            _("Figures 1 and 2: one more application by number of applications"),
            said,
            "connect.latency.p50",
        ),
    )
    groups, axis = _beside_mesh(grid), _("applications")
    charts = (
        chart_by_step(grid, title, plain(caption), metric, groups, along=axis)
        for title, caption, metric in drawn
    )
    return [chart for chart in charts if chart is not None]


def _beside_mesh(grid: CellTable) -> list[tuple[str, list[str]]]:
    """Contenders of each mode with those of the mesh, which has no panel of its own."""
    context = grid.context
    mesh = [name for name in grid.contenders if context.mode_of(name) == MESH]
    hubs = [name for name in grid.contenders if name not in mesh]
    if not mesh or not hubs:
        return list(by_mode(context, grid.contenders).items())
    beside = context.words.gettext("mesh beside {mode}")
    return [
        (beside.format(mode=mode), mesh + names) for mode, names in by_mode(context, hubs).items()
    ]


def _costs(grid: CellTable, name: str) -> Row:
    """The memory of one more application, from step to step."""
    cells = (grid.cell(name, step) for step in grid.steps)
    known = [cell and _of_one_more(grid, cell) for cell in cells]
    shown: tuple[Plain, ...] = tuple(figure(one) if one else Absent(DASH) for one in known)
    return Row(Head(grid.context.words.gettext("one more application, MB")), shown)


def _of_one_more(grid: CellTable, cell: Cell) -> Metric | None:
    """Memory that a step has more than the one before it, for each application that it adds."""
    at = grid.steps.index(cell.step) if cell.step in grid.steps else 0
    fewer = grid.cell(cell.contender, grid.steps[at - 1]) if at else None
    before, now = fewer and _all_memory(fewer), _all_memory(cell)
    if not before or not now or before.value is None or now.value is None:
        return None
    numbers = _numbers(grid)
    each = (now.value - before.value) / (numbers[at] - numbers[at - 1])
    return now.model_copy(update={"value": each})


def _all_memory(cell: Cell) -> Metric | None:
    """The highest of the applications and the highest of their server, not at one moment."""
    applications, server = cell.usable("rss.max"), cell.usable("server.rss.max")
    if applications is None or server is None:
        return None
    if applications.value is None or server.value is None:
        return None
    both = applications.value + server.value
    return applications.model_copy(update={"value": both, "interval": None, "per_trial": []})
