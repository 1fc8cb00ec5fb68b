"""CPU and memory of the clients and of what they talk to, apart."""

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
    Row,
    RowGroup,
    Section,
    Table,
    paragraph,
    steps,
)

from .cells import by_mode

_CLIENTS, _SERVER, _RESPONDER = "", "server.", "responder."
"""Prefixes of the metrics of each side: those of the clients, who are measured, have none."""

_PERCENT_OF_NS_IN_US = 1e5
"""CPU in % of a core, times the nanoseconds between two messages, over this: µs a message."""


def resources(context: Context) -> list[Section]:
    """At equal work, then with many clients; none where neither was measured."""
    _ = context.words.gettext
    blocks = [*_at_equal_work(context), *_with_many_clients(context)]
    if not blocks:
        return []
    said = _(
        "Clients are one process, and what they talk to is another: a server of ours, or a broker. "
        "So each pays for itself here. 100 % CPU is one core; memory is the highest resident "
        "one, in which a runtime's heap stands as large as it was allowed to grow."
    )
    section = Section(
        _("CPU and memory, clients and broker apart"),
        "clients-and-broker",
        (paragraph(said), *blocks),
    )
    return [section]


def _at_equal_work(context: Context) -> list[Block]:
    """CPU by message: the rate is given, so whoever uses less has more left."""
    _ = context.words.gettext
    grid = CellTable.of(context, "echo-paced")
    if not grid:
        return []
    step = grid.steps[0]
    each = grid.scenario.period / _PERCENT_OF_NS_IN_US
    sides = [_CLIENTS, _SERVER]
    if any(f"{_RESPONDER}cpu.mean" in found.metrics for found in grid.cells):
        sides.append(_RESPONDER)
    names = {
        _CLIENTS: _("clients"),
        _SERVER: _("server or broker"),
        _RESPONDER: _("responder"),
    }
    columns: list[tuple[str, FigureColumn]] = []
    for side in sides:
        cpu, memory = f"{side}cpu.mean", f"{side}rss.max"
        columns += [
            (_("{who}: CPU").format(who=names[side]), FigureColumn(cpu, unit="%")),
            (
                _("{who}: CPU a message").format(who=names[side]),
                FigureColumn(cpu, factor=each, unit="µs"),
            ),
            (_("{who}: memory").format(who=names[side]), FigureColumn(memory, unit="MB")),
        ]
    groups = [
        RowGroup(tuple(_across(grid, name, step, [c for _title, c in columns]) for name in of_mode))
        for of_mode in by_mode(context, grid.contenders).values()
    ]
    caption = _("At equal work: {scenario} · {step}").format(
        scenario=grid.scenario.title.of(context.language), step=grid.step_title(step)
    )
    titles = tuple(Column(title, column.unit) for title, column in columns)
    return [Table(caption, (_("contender"),), titles, tuple(groups))]


def _across(grid: CellTable, name: str, step: str, columns: Sequence[FigureColumn]) -> Row:
    found = grid.cell(name, step)
    # Who has no responder has nothing to measure there.
    shown = [
        grid.shown(name, step, column)
        if found is not None and column.metric in found.metrics
        else Absent(DASH)
        for column in columns
    ]
    return Row(grid.head(name), tuple(shown))


def _with_many_clients(context: Context) -> list[Block]:
    """Memory by number of clients, from broadcasts."""
    _ = context.words.gettext
    grid = CellTable.of(context, "broadcast")
    if not grid:
        return []
    memory = {
        _("clients, MB"): f"{_CLIENTS}rss.max",
        _("server or broker, MB"): f"{_SERVER}rss.max",
    }
    groups = [
        RowGroup(
            steps.rows_of(grid, name, memory),
            grid.head(name),
        )
        for of_mode in by_mode(context, grid.contenders).values()
        for name in of_mode
    ]
    titles = [grid.step_title(step) for step in grid.steps]
    return [steps.sheet(context, _("Memory in broadcasts"), titles, groups)]
