"""Contenders apart by what their echo means, and figures that several chapters tell."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.report.api import (
    DASH,
    Absent,
    CellTable,
    Context,
    FigureColumn,
    Plain,
    Row,
    published_row,
)

ELAPSED = "step.elapsed"

_ALSO_BESIDE = {"jms-artemis-responder": "jms-artemis"}
"""Contenders that stand beside a published row of another one: the study does not say whether its
server took a message and put it into the channel again.
"""


def by_mode(context: Context, names: Sequence[str]) -> dict[str, list[str]]:
    """Contenders by the title of their mode, direct ones first."""
    modes = sorted({context.mode_of(name) for name in names}, key=lambda m: (m != "direct", m))
    return {
        context.mode_title(mode): [n for n in names if context.mode_of(n) == mode] for mode in modes
    }


def published_beside(context: Context, name: str, keys: Sequence[str]) -> tuple[Row, ...]:
    """The study's row of whoever a contender may stand for; none where it has none."""
    return published_row(context, _ALSO_BESIDE.get(name, name), keys)


def per_delivery(grid: CellTable, name: str) -> tuple[Plain, ...]:
    """The time of each step for one of its deliveries, whose number is exact."""
    shown: list[Plain] = []
    for step in grid.steps:
        due = grid.metric(name, step, "delivery.expected.count")
        cell = grid.cell(name, step)
        # Expected ones are summed over trials, the time is that of one.
        trials = len(cell.metrics[ELAPSED].per_trial) if cell and ELAPSED in cell.metrics else 0
        if due is None or not due.value or not trials:
            shown.append(Absent(DASH))
        else:
            each = FigureColumn(ELAPSED, factor=1e6 * trials / due.value, unit="µs")
            shown.append(grid.shown(name, step, each))
    return tuple(shown)
