"""Environment A: clients alone, per set and overall."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.report.context import Context
from wirelab.report.document import (
    Block,
    Column,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Section,
    Table,
    plain,
)
from wirelab.report.grid import Grid, published_row
from wirelab.report.tabulate import FigureColumn, notes_for

_FIGURES = ("mean", "p50", "p99")


def sections(context: Context) -> list[Section]:
    """Batches in rounds, then at a given rate."""
    made = []
    if (grid := Grid.of(context, "client")) is not None:
        made.append(_by_set(grid))
    if (grid := Grid.of(context, "client-paced")) is not None:
        made.append(_paced(grid))
    return made


def _by_set(grid: Grid) -> Section:
    _ = grid.context.words.gettext
    said = _(
        "Ten calls at a time, in rounds as the source's: the next ten begin when the slowest of "
        "the last ten has ended. Milliseconds a batch, service time. The source's set 8 repeats "
        "one key; beside it stands the same empty set with distinct keys."
    )
    blocks: list[Block] = [Paragraph(plain(said))]
    for keys in (50, 200):
        steps = [s for s in grid.steps if grid.all_steps[s].parameters.get("keys") == keys]
        if steps:
            caption = _("Batches of {keys} keys, ms").format(keys=keys)
            blocks.append(_table(grid, caption, steps, _FIGURES))
    blocks.append(_overall(grid))
    left_out = [step for step in grid.all_steps if step not in grid.steps]
    if left_out:
        more = _("{n} more sets and sizes are in the profiles quick and publish.")
        blocks.append(Paragraph(plain(more.format(n=len(left_out)))))
    return Section(_("Clients alone: the source's environment A"), "client", tuple(blocks))


def _overall(grid: Grid) -> Table:
    """All steps of a trial together; the source's overall row averages its cells."""
    context, _ = grid.context, grid.context.words.gettext
    metrics = (*(f"read.latency.{level}" for level in _FIGURES), "read.rate")
    keys = [f"client.{key}" for key in ("mean", "p50", "p99", "tps")]
    groups = [
        RowGroup(
            (
                Row(
                    Head(_("all batches")),
                    tuple(grid.shown(name, "", FigureColumn(metric)) for metric in metrics),
                ),
                *published_row(context, name, keys),
            ),
            grid.head(name),
        )
        for name in grid.contenders
    ]
    titles = [f"{_(level)}, ms" for level in _FIGURES] + [_("batches/s")]
    return _made(context, _("Overall"), titles, groups)


def _paced(grid: Grid) -> Section:
    context, _ = grid.context, grid.context.words.gettext
    said = _(
        "Two hundred batches a second, due at given times whatever the answers do: response times "
        "contain the waiting that rounds leave out."
    )
    rows = [
        RowGroup(
            tuple(
                Row(
                    Head(f"{level}, ms"),
                    tuple(
                        grid.shown(name, step, FigureColumn(f"read.response.{level}"))
                        for step in grid.steps
                    ),
                )
                for level in ("p50", "p95", "p99")
            ),
            grid.head(name),
        )
        for name in grid.contenders
    ]
    table = _made(context, _("Response times, ms"), [grid.step_title(s) for s in grid.steps], rows)
    return Section(_("Clients alone, at a given rate"), "paced", (Paragraph(plain(said)), table))


def _table(grid: Grid, caption: str, steps: Sequence[str], levels: Sequence[str]) -> Table:
    context, _ = grid.context, grid.context.words.gettext
    groups = [
        RowGroup(
            (
                *(
                    Row(
                        Head(_(level)),
                        tuple(
                            grid.shown(name, step, FigureColumn(f"read.latency.{level}"))
                            for step in steps
                        ),
                    )
                    for level in levels
                ),
                Row(
                    Head(_("batches/s")),
                    tuple(grid.shown(name, step, FigureColumn("read.rate")) for step in steps),
                ),
                *(
                    row
                    for level in ("mean", "p99")
                    for row in published_row(
                        context,
                        name,
                        [f"client.{step}.{level}" for step in steps],
                        _("published, {level}").format(level=_(level)),
                    )
                ),
            ),
            grid.head(name),
        )
        for name in grid.contenders
    ]
    return _made(context, caption, [grid.step_title(step) for step in steps], groups)


def _made(
    context: Context, caption: str, titles: Sequence[str], groups: Sequence[RowGroup]
) -> Table:
    stub = (context.words.gettext("contender"), context.words.gettext("figures"))
    columns = tuple(Column(title) for title in titles)
    return Table(caption, stub, columns, tuple(groups), notes_for(context, groups))
