"""A server with too little of the machine, and strokes left out by overload (study, 5.2.3)."""

from __future__ import annotations

from wirelab.report.api import (
    N_,
    Block,
    Bullets,
    CellTable,
    Command,
    Context,
    FigureColumn,
    Section,
    paragraph,
    plain,
    steps,
)

from . import treatments
from .servers import with_operations

_SCENARIO = "overload"
_COLUMNS = (
    *("delivery.expected.count", "delivery.received.count", "delivery.shed.ratio"),
    *("delivery.loss.ratio", "delivery.reorder.count"),
    *("delivery.response.p50", "delivery.response.p99"),
    *("rtt.error.count", "cpu.mean", "rss.max", "rss.growth"),
)
_ABOUT = (
    N_(
        "The load is the same in both tables, and the share of a processor that the server has is "
        "not. With all of it nothing has to be left out; with little of it strokes come faster "
        "than they can be sent on."
    ),
    N_(
        "Sampling by overload leaves strokes out while the event loop is behind, and tells whom "
        "they were owed to. What is neither sent nor told within the limit of an operation is "
        "lost. Nobody is ranked: who leaves out more does less."
    ),
)


def sections(context: Context, *, of_all: bool = True) -> list[Section]:
    """The section. Where it was not run it says how to get it, in a report of all."""
    _ = context.words.gettext
    scenario = context.result.scenarios.get(_SCENARIO)
    names = scenario.variants if scenario is not None else {}
    tables = [table for name in names if (table := CellTable.of(context, _SCENARIO, variant=name))]
    if not tables and not of_all:
        return []
    blocks: list[Block | Section] = [Bullets(tuple(plain(_(said)) for said in _ABOUT))]
    blocks += treatments.about(context, _SCENARIO, *tables)
    if not tables:
        blocks.append(paragraph(_("Not run this time. It takes:")))
        blocks.append(Command(f"./wl run websocket --scenario {_SCENARIO}"))
    columns = [FigureColumn(metric) for metric in _COLUMNS]
    for table in tables:
        title = table.scenario.variants[table.variant].title.of(context.language)
        blocks.append(steps.side_by_side(table, title, with_operations(context, columns)))
        blocks += treatments.beside(context, _SCENARIO, table, title)
    return [Section(_("Overload, and strokes left out by it"), "overload", tuple(blocks))]
