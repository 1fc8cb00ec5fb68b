"""The study's tables 5, 6, 7, 8 and 9, published beside measured."""

from __future__ import annotations

from wirelab.report.api import (
    DASH,
    Absent,
    Block,
    Cell,
    CellTable,
    Context,
    Derived,
    FigureColumn,
    Head,
    Metric,
    Plain,
    Row,
    RowGroup,
    Section,
    chart_by_mark,
    chart_by_step,
    claims,
    paragraph,
    plain,
    published_row,
    steps,
)

from . import datagrams
from .cells import ELAPSED, by_mode, per_delivery, published_beside
from .many_clients import many_clients, published_table


def sections(context: Context) -> list[Section]:
    """The sections whose scenarios were run."""
    made = [
        (CellTable.of(context, "transfer", "transfer-steady"), _transfer),
        (CellTable.of(context, "broadcast"), _broadcast),
        (CellTable.of(context, "echo-clients"), _echo_clients),
        (CellTable.of(context, "echo-size"), _echo_size),
    ]
    found = [make(grid) for grid, make in made if grid]
    after = 1 if made[0][0] else 0
    return [*found[:after], *many_clients(context), *found[after:]]


def _transfer(grid: CellTable) -> Section:
    """Table 5."""
    context, _ = grid.context, grid.context.words.gettext
    marks = grid.scenario.operations["echo"].marks
    titles = [f"{n:,}" for n in marks]
    blocks: list[Block] = [
        paragraph(
            _(
                "Seconds until one client had finished so many request/replies. Cold is the "
                "beginning of a process, which is what the study timed; steady comes after a "
                "warm-up. Messages have 1,000 bytes here; the study does not give their size."
            )
        )
    ]
    blocks += _stand_ins(context)
    columns = [FigureColumn(f"echo.elapsed.{n}") for n in marks]
    keys = [f"transfer.{n}" for n in marks]
    blocks += datagrams.echoes_said(grid)
    with_lost = datagrams.take_part(grid)
    if with_lost:
        titles.append(_("echoes lost"))
        # The study has no figure of it.
        keys.append("transfer.lost")
    for mode, names in by_mode(context, grid.contenders).items():
        groups = [
            RowGroup(
                tuple(
                    Row(
                        Head(grid.step_title(step)),
                        (
                            *(grid.shown(name, step, column) for column in columns),
                            *([datagrams.lost(grid, name, step)] if with_lost else []),
                        ),
                    )
                    for step in grid.steps
                )
                + published_beside(context, name, keys),
                grid.head(name),
            )
            for name in names
        ]
        blocks.append(
            steps.sheet(context, _("Table 5, s · {mode}").format(mode=mode), titles, groups)
        )
    blocks += _figure_4(grid)
    return Section(_("Transfer: the study's table 5"), "table-5", tuple(blocks))


def _figure_4(grid: CellTable) -> list[Block]:
    """The study's figure 4: table 5 as lines, from the beginning of a process."""
    _ = grid.context.words.gettext
    cold = grid.at("cold")
    if not cold:
        return []
    said = plain(_("Seconds of the first request/replies of a process, with their intervals."))
    title, along = _("Figure 4: time by request/replies"), _("request/replies")
    groups = list(by_mode(grid.context, cold.contenders).items())
    chart = chart_by_mark(cold, title, said, "echo", groups, along=along)
    return [chart] if chart is not None else []


def _stand_ins(context: Context) -> list[Block]:
    """The reason why a published figure stands beside this contender and no other one like it."""
    if context.published is None:
        return []
    said = context.words.gettext("The study's figure of {theirs} stands beside {here}. {why}")
    return [
        paragraph(
            said.format(
                theirs=one.title.of(context.language),
                here=claims.named(context, context.stand_ins[key]),
                why=one.why.of(context.language),
            )
        )
        for key, one in context.published.contenders.items()
        if one.why is not None
    ]


def _broadcast(grid: CellTable) -> Section:
    """Table 7: time, time of a delivery, exact counts."""
    context, _ = grid.context, grid.context.words.gettext
    published = grid.scenario.profiles["publish"].steps
    left_out = [step for step in published if step not in grid.steps]
    blocks: list[Block] = [
        paragraph(
            _(
                "Every client sends so many messages to all, itself included. The time runs "
                "from the first message until the last client has everything. Table 6 of the "
                "study is the same with one message each: the scenario clients."
            )
        )
    ]
    if left_out:
        said = _("Not in this profile: {steps}. `--profile publish` has them.")
        titles = "; ".join(grid.step_title(step) for step in left_out)
        blocks.append(paragraph(said.format(steps=titles).replace("`", "")))
    columns = [grid.step_title(step) for step in grid.steps]
    keys = [f"broadcast.{step}" for step in grid.steps]
    for mode, names in by_mode(context, grid.contenders).items():
        groups = [
            RowGroup(
                (
                    *steps.rows_of(grid, name, {_("time, s"): ELAPSED}),
                    Row(Head(_("per delivery, µs")), per_delivery(grid, name)),
                    *steps.rows_of(
                        grid, name, {_("lost of all deliveries"): "delivery.loss.count"}
                    ),
                    *published_row(context, name, keys),
                ),
                grid.head(name),
            )
            for name in names
        ]
        blocks.append(
            steps.sheet(context, _("Table 7 · {mode}").format(mode=mode), columns, groups)
        )
    if not CellTable.of(context, "clients"):
        blocks.append(published_table(context))
    return Section(_("Broadcast: the study's table 7"), "table-7", tuple(blocks))


def _echo_clients(grid: CellTable) -> Section:
    """Table 8, which the study does not print."""
    context, _ = grid.context, grid.context.words.gettext
    said = _(
        "The study announces this table and does not print it: the grid of table 7, each client "
        "asking for itself. Seconds until the last client has its last answer; first and last are "
        "the clients who connected first and last, until each had its last answer."
    )
    blocks: list[Block] = [paragraph(said), *datagrams.echoes_said(grid)]
    titles = [grid.step_title(step) for step in grid.steps]
    metrics = {
        _("time, s"): ELAPSED,
        _("p50, ms"): "echo.latency.p50",
        _("p99, ms"): "echo.latency.p99",
        _("first client, ms"): "echo.first",
        _("last client, ms"): "echo.last",
    }
    for mode, names in by_mode(context, grid.contenders).items():
        groups = [datagrams.by_step(grid, name, metrics) for name in names]
        blocks.append(steps.sheet(context, _("Table 8 · {mode}").format(mode=mode), titles, groups))
    return Section(_("Echo with many clients: table 8 at last"), "table-8", tuple(blocks))


def _echo_size(grid: CellTable) -> Section:
    """Table 9: ms for 1,000 messages, as the time of those that were sent says."""
    context, _ = grid.context, grid.context.words.gettext
    said = _(
        "Milliseconds for 1,000 messages one after the other, by size; a profile that sends fewer "
        "is scaled to 1,000, for each is sent warm. Below it the service time of one."
    )
    blocks: list[Block] = [paragraph(said), *datagrams.echoes_said(grid)]
    titles = [grid.step_title(step) for step in grid.steps]
    keys = [f"echo-size.{step}" for step in grid.steps]
    latencies = {f"{level}, ms": f"echo.latency.{level}" for level in ("p50", "p95", "p99")}
    for mode, names in by_mode(context, grid.contenders).items():
        groups = [
            RowGroup(
                (
                    Row(Head(_("1,000 messages, ms")), _per_thousand(grid, name)),
                    *steps.rows_of(grid, name, latencies),
                    *datagrams.lost_rows(grid, name),
                    *published_beside(context, name, keys),
                ),
                grid.head(name),
            )
            for name in names
        ]
        blocks.append(steps.sheet(context, _("Table 9 · {mode}").format(mode=mode), titles, groups))
    blocks += _figure_6(grid)
    return Section(_("Echo by size: the study's table 9"), "table-9", tuple(blocks))


def _figure_6(grid: CellTable) -> list[Block]:
    """The study's figure 6: table 9 as lines."""
    context, _ = grid.context, grid.context.words.gettext
    said = plain(_("Milliseconds for 1,000 messages by their size, with their intervals."))
    title, along = _("Figure 6: echo by size"), ("message_bytes", _("bytes of a message"))
    groups = list(by_mode(context, grid.contenders).items())
    time = Derived(_("time of 1,000 messages"), _thousand)
    chart = chart_by_step(grid, title, said, time, groups, along=along)
    return [chart] if chart is not None else []


# ------------------------------------------------------------------------------ rows


def _per_thousand(grid: CellTable, name: str) -> tuple[Plain, ...]:
    shown: list[Plain] = []
    for step in grid.steps:
        cell = grid.cell(name, step)
        factor = _of_thousand(cell) if cell is not None else None
        if factor is None:
            shown.append(Absent(DASH))
        else:
            shown.append(grid.shown(name, step, FigureColumn(ELAPSED, factor=factor, unit="ms")))
    return tuple(shown)


def _thousand(cell: Cell) -> Metric | None:
    """The time of 1,000 messages, as the table has it."""
    elapsed, factor = cell.usable(ELAPSED), _of_thousand(cell)
    return None if elapsed is None or factor is None else elapsed.scaled(factor, "ms")


def _of_thousand(cell: Cell) -> float | None:
    """Milliseconds for 1,000 messages in one second of those that were sent; None without any."""
    rate, elapsed = cell.usable("echo.rate"), cell.usable(ELAPSED)
    if rate is None or elapsed is None or not rate.value or not elapsed.value:
        return None
    return 1000 * 1000 / round(rate.value * elapsed.value)
