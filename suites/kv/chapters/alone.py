"""Environment A: clients alone, per set and overall."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.report.api import (
    Block,
    CellTable,
    Context,
    FigureColumn,
    Head,
    Row,
    RowGroup,
    Section,
    Table,
    paragraph,
    published_row,
    steps,
)

from .against import NATIVE, Compared, speed_ups

_FIGURES = ("mean", "p50", "p99")
_COMPARED = {
    "mean": Compared("read.latency.mean", "mean", stated="mean-speedup"),
    "p99": Compared("read.latency.p99", "p99"),
    "TPS": Compared("read.rate", "tps", more_is_better=True, stated="tps-speedup"),
}


def sections(context: Context) -> list[Section]:
    """Multi-gets in rounds, then at a given rate."""
    made = []
    if grid := CellTable.of(context, "client"):
        made.append(_by_set(grid))
    if grid := CellTable.of(context, "client-paced"):
        made.append(_paced(grid))
    return made


def _by_set(grid: CellTable) -> Section:
    _ = grid.context.words.gettext
    said = _(
        "Ten calls at a time, in rounds as the study's: the next ten begin when the slowest of "
        "the last ten has ended. Milliseconds a multi-get, service time. The study's set 8 repeats "
        "one key; beside it stands the same empty set with distinct keys."
    )
    blocks: list[Block] = [paragraph(said)]
    for keys in (50, 200):
        chosen = [s for s in grid.steps if grid.all_steps[s].parameters.get("keys") == keys]
        if not chosen:
            continue
        caption = _("Multi-gets of {keys} keys, ms").format(keys=keys)
        blocks.append(_table(grid, caption, chosen))
        caption = _("{native}: how many times better, multi-gets of {keys} keys")
        blocks += speed_ups(
            grid,
            caption.format(native=NATIVE, keys=keys),
            {step: f"client.{step}" for step in chosen},
            _COMPARED,
        )
    blocks.append(_overall(grid))
    caption = _("{native}: how many times better, all multi-gets").format(native=NATIVE)
    blocks += speed_ups(grid, caption, {"": "client"}, _COMPARED)
    left_out = [step for step in grid.all_steps if step not in grid.steps]
    if left_out:
        more = _("{n} more sets and sizes are in the profiles quick and publish.")
        blocks.append(paragraph(more.format(n=len(left_out))))
    return Section(_("Clients alone: the study's environment A"), "client", tuple(blocks))


def _overall(grid: CellTable) -> Table:
    """All steps of a trial together; the study's overall row averages its cells."""
    context, _ = grid.context, grid.context.words.gettext
    metrics = (*(f"read.latency.{level}" for level in _FIGURES), "read.rate")
    keys = [f"client.{key}" for key in ("mean", "p50", "p99", "tps")]
    groups = [
        RowGroup(
            (
                Row(
                    Head(_("all multi-gets")),
                    tuple(grid.shown(name, "", FigureColumn(metric)) for metric in metrics),
                ),
                *published_row(context, name, keys),
            ),
            grid.head(name),
        )
        for name in grid.contenders
    ]
    titles = [f"{_(level)}, ms" for level in _FIGURES] + [_("multi-gets/s")]
    return steps.sheet(context, _("Overall"), titles, groups)


def _paced(grid: CellTable) -> Section:
    context, _ = grid.context, grid.context.words.gettext
    said = _(
        "Two hundred multi-gets a second, due at given times whatever the answers do: response "
        "times contain the waiting that rounds leave out."
    )
    levels = {f"{level}, ms": f"read.response.{level}" for level in ("p50", "p95", "p99")}
    groups = [
        RowGroup(steps.rows_of(grid, name, levels), grid.head(name)) for name in grid.contenders
    ]
    table = steps.sheet(
        context, _("Response times, ms"), [grid.step_title(s) for s in grid.steps], groups
    )
    return Section(_("Clients alone, at a given rate"), "paced", (paragraph(said), table))


def _table(grid: CellTable, caption: str, chosen: Sequence[str]) -> Table:
    context, _ = grid.context, grid.context.words.gettext
    part = grid.where(lambda cell: cell.step in chosen)
    metrics = {_(level): f"read.latency.{level}" for level in _FIGURES}
    metrics[_("multi-gets/s")] = "read.rate"
    groups = [
        RowGroup(
            (
                *steps.rows_of(part, name, metrics),
                *(
                    row
                    for level in ("mean", "p99")
                    for row in published_row(
                        context,
                        name,
                        [f"client.{step}.{level}" for step in chosen],
                        _("published, {level}").format(level=_(level)),
                    )
                ),
            ),
            grid.head(name),
        )
        for name in grid.contenders
    ]
    return steps.sheet(context, caption, [grid.step_title(step) for step in chosen], groups)
