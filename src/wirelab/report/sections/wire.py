"""Parts of an operation's time: the client, the wire with the server, the client again."""

from __future__ import annotations

from wirelab.report.by_contender import by_contender
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import Block, Paragraph, Section, plain
from wirelab.report.tabulate import FigureColumn

PARTS = ("before", "server", "after")
_STATISTICS = ("p50", "p95", "p99")


def wire(context: Context, comparison: CellTable) -> list[Section]:
    """Section of what the witness saw; empty where no operation was seen on the wire."""
    _ = context.words.gettext
    seen = [name for name in comparison.operations if is_seen(comparison, name)]
    if not seen:
        return []
    from wirelab.report import charts

    blocks: list[Block | Section] = [
        Paragraph(
            plain(
                _(
                    "The kernel stamps what departs and what arrives. Caller to wire and wire to "
                    "caller are the client's own time; wire to wire is the network, the server, "
                    "and an answer that waits for a client which empties its socket too slowly."
                )
            )
        )
    ]
    blocks += charts.by_mode(charts.split_by_percentile, context, comparison)
    for name in seen:
        blocks += [_parts(context, comparison, name), _amounts(context, comparison, name)]
    blocks += _connections(context, comparison)
    return [Section(_("Client, wire and server"), "wire", tuple(blocks))]


def is_seen(comparison: CellTable, name: str) -> bool:
    """Whether a witness saw any operation of that name."""
    return any(f"{name}.wire.matched" in cell.metrics for cell in comparison.cells)


def _parts(context: Context, comparison: CellTable, name: str) -> Block:
    _ = context.words.gettext
    columns = [FigureColumn(f"{name}.wire.{part}.{stat}") for stat in _STATISTICS for part in PARTS]
    caption = _("{op}: parts of the service time, each with percentiles of its own")
    return by_contender(context, comparison, caption.format(op=context.words.called(name)), columns)


def _amounts(context: Context, comparison: CellTable, name: str) -> Block:
    _ = context.words.gettext
    columns = [FigureColumn(f"{name}.wire.{what}") for what in ("bytes", "packets", "matched")]
    caption = _("{op}: what it moved").format(op=context.words.called(name))
    return by_contender(context, comparison, caption, columns)


def _connections(context: Context, comparison: CellTable) -> list[Block]:
    """Table of the traffic by connection; empty where no contender has several."""
    _ = context.words.gettext
    cells = [cell.usable("wire.connections") for cell in comparison.cells]
    if not any(found and found.value and found.value > 1 for found in cells):
        return []
    columns = [FigureColumn("wire.connections"), FigureColumn("wire.traffic")]
    columns += [FigureColumn(f"wire.connection.{which}") for which in ("least", "median", "most")]
    caption = _("Traffic by connection, both ways")
    return [by_contender(context, comparison, caption, columns)]
