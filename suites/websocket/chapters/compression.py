"""Savings of permessage-deflate on the wire, and its cost (5.2 of the study)."""

from __future__ import annotations

from collections.abc import Mapping

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

from . import ratios

SCENARIO = "compression"
TUNED: Mapping[str, tuple[str, ...]] = {
    "node-ws": ("node-ws-deflate", "node-ws-deflate-fresh"),
    "spring-stomp": ("spring-stomp-deflate",),
}
"""Servers that compress, by the one that does not."""
_COLUMNS = (
    "delivery.wire.ratio",
    "delivery.per.cpu",
    "cpu.mean",
    "rss.max",
    "rtt.response.p99",
    "delivery.response.p99",
    "delivery.loss.count",
    "delivery.reorder.count",
)
_RATIOS = _COLUMNS[:6]
_ABOUT = (
    N_(
        "Mechanism: every copy of a message is compressed for its own receiver, because each has a "
        "window of its own. A board of 50 compresses one stroke 50 times."
    ),
    N_(
        "Where it could matter: messages of kilobytes, or lines that are paid by the byte. Boards "
        "of 50 that send 130 bytes a second do not fill a network."
    ),
    N_(
        "A stroke of 130 B consists of its fields: on average 2 of its bytes are filling, and two "
        "of three strokes have none. So dots and letters differ at 4 KB, and hardly at 130 B, "
        "where what compresses are the fields that a window has seen before. Strokes with "
        "random letters have these in place of colour, width and points: half of their 130 B."
    ),
    N_(
        "Proof that it was active: the generator offers the extension where the server says that "
        "it compresses, and takes no connection on which it was not agreed. Bytes are counted at "
        "the sockets of the generator, and every message is compared after it was unpacked."
    ),
)


def sections(context: Context, *, of_all: bool = True) -> list[Section]:
    """The section. Where nothing was compressed it says how to get it, in a report of all."""
    _ = context.words.gettext
    tables = _tables(context)
    if not tables and not of_all:
        return []
    blocks: list[Block | Section] = [Bullets(tuple(plain(_(said)) for said in _ABOUT))]
    if not tables:
        blocks.append(paragraph(_("Not run this time. It takes:")))
        blocks.append(Command(f"./wl run websocket --scenario {SCENARIO}"))
    for table in tables:
        blocks += _of_a_variant(context, table)
    return [Section(_("Compression (permessage-deflate)"), "compression", tuple(blocks))]


def _tables(context: Context) -> list[CellTable]:
    scenario = context.result.scenarios.get(SCENARIO)
    names = scenario.variants if scenario is not None else {}
    found = (CellTable.of(context, SCENARIO, variant=name) for name in names)
    return [table for table in found if table]


def _of_a_variant(context: Context, table: CellTable) -> list[Block]:
    title = table.scenario.variants[table.variant].title.of(context.language)
    columns = [FigureColumn(metric) for metric in _COLUMNS]
    blocks: list[Block] = [steps.side_by_side(table, title, columns)]
    for untuned, servers in TUNED.items():
        tuned = [name for name in servers if table.cell(name) is not None]
        if table.cell(untuned) is not None and tuned:
            blocks.append(ratios.to_untuned(table, title, untuned, tuned, _RATIOS))
    return blocks
