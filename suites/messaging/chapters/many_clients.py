"""The study's table 6 and figure 5: one message of each client to all, by number of clients."""

from __future__ import annotations

from wirelab.report.api import (
    Block,
    CellTable,
    Context,
    Head,
    Row,
    RowGroup,
    Section,
    Table,
    chart_by_step,
    paragraph,
    plain,
    published_row,
    steps,
)

from .cells import ELAPSED, by_mode, per_delivery

_NUMBERS = (100, 300, 500, 700, 900)
_ALL, _ONE = "-all", "-one"


def published_table(context: Context) -> Table:
    """Table 6 as it was published."""
    _ = context.words.gettext
    rows = [
        RowGroup(
            published_row(context, here, [f"clients.{n}" for n in _NUMBERS]),
            Head(context.published.contenders[key].title.of(context.language)),
        )
        for key, here in context.stand_ins.items()
        if context.published is not None
    ]
    return steps.sheet(context, _("Table 6, s"), [f"{n:,}" for n in _NUMBERS], rows)


def many_clients(context: Context) -> list[Section]:
    """None without the scenario `clients`."""
    _ = context.words.gettext
    whole = CellTable.of(context, "clients")
    grid = whole.where(lambda cell: cell.step.endswith(_ALL))
    if not grid:
        return []
    said = _(
        "Every client sends one message to all, itself included: K clients are K × K deliveries. "
        "The study's text calls its times those of sending, and its figure 5 those of connecting; "
        "so both are told, apart and summed. Connecting is the time in which so many clients "
        "connected, one after the other, each until its first answer. First and last are the "
        "clients who connected first and last, from the first message until each had all of them."
    )
    blocks: list[Block] = [paragraph(said)]
    titles = [f"{grid.all_steps[step].users:,}" for step in grid.steps]
    for mode, names in by_mode(context, grid.contenders).items():
        groups = [RowGroup(_rows(grid, name), grid.head(name)) for name in names]
        caption = _("Table 6 · {mode}").format(mode=mode)
        blocks.append(steps.sheet(context, caption, titles, groups))
    blocks += _charts(grid)
    blocks.append(published_table(context))
    blocks += _one_sender(whole.where(lambda cell: cell.step.endswith(_ONE)))
    return [Section(_("One message of each: the study's table 6"), "table-6", tuple(blocks))]


def _rows(grid: CellTable, name: str) -> tuple[Row, ...]:
    _ = grid.context.words.gettext
    apart = {
        _("connecting, s"): "connect.elapsed",
        _("sending, s"): ELAPSED,
        _("both, s"): "connect.elapsed.summed",
    }
    users = {
        _("first client, ms"): "complete.first",
        _("last client, ms"): "complete.last",
        _("handing over, p50, ms"): "send.latency.p50",
        _("lost of all deliveries"): "delivery.loss.count",
    }
    keys = [f"clients.{grid.all_steps[step].users}" for step in grid.steps]
    return (
        *steps.rows_of(grid, name, apart),
        Row(Head(_("per delivery, µs")), per_delivery(grid, name)),
        *steps.rows_of(grid, name, users),
        *published_row(grid.context, name, keys),
    )


def _charts(grid: CellTable) -> list[Block]:
    """Figure 5, twice: what it may have meant."""
    _ = grid.context.words.gettext
    groups = list(by_mode(grid.context, grid.contenders).items())
    drawn = (
        (_("Figure 5: sending by number of clients"), ELAPSED),
        (_("Figure 5: connecting by number of clients"), "connect.elapsed"),
    )
    said = plain(_("Seconds with so many clients, with their intervals."))
    charts = (chart_by_step(grid, title, said, metric, groups) for title, metric in drawn)
    return [chart for chart in charts if chart is not None]


def _one_sender(grid: CellTable) -> list[Block]:
    """Show what the study's chapter III tells of: one client sends to all others."""
    if not grid:
        return []
    context, _ = grid.context, grid.context.words.gettext
    said = _(
        "In its chapter III the study says that one client sends to all others, in its results "
        "that each does. This is one message of the first client to all."
    )
    metrics = {
        _("time, s"): ELAPSED,
        _("first client, ms"): "complete.first",
        _("last client, ms"): "complete.last",
    }
    titles = [f"{grid.all_steps[step].users:,}" for step in grid.steps]
    blocks: list[Block] = [paragraph(said)]
    for mode, names in by_mode(context, grid.contenders).items():
        groups = [RowGroup(steps.rows_of(grid, name, metrics), grid.head(name)) for name in names]
        caption = _("One sends to all · {mode}").format(mode=mode)
        blocks.append(steps.sheet(context, caption, titles, groups))
    return blocks
