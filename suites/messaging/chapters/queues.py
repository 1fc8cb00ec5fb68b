"""Queues that clients share: how evenly, how soon, and what becomes of a dead one's messages."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.report.api import (
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
)

from .cells import by_mode

_ALIVE = "queue"
_DEATH = "queue-death"


def queues(context: Context) -> list[Section]:
    """The section on queues; none where no queue was run."""
    _ = context.words.gettext
    alive, death = (CellTable.of(context, name) for name in (_ALIVE, _DEATH))
    if not alive and not death:
        return []
    said = _(
        "The study's point-to-point: a message goes to one of the clients who share a queue. "
        "Eight arrive at once for four who work 30 ms on each, so that a client has one at work "
        "and one that waits. The response time ends when the work does. Evenness is 1 when all got "
        "as many."
    )
    blocks: list[Block] = [paragraph(said)]
    if alive:
        columns = {
            "p50": FigureColumn("delivery.response.p50"),
            "p99": FigureColumn("delivery.response.p99"),
            _("evenness"): FigureColumn("delivery.evenness"),
            _("lost"): FigureColumn("delivery.loss.count"),
        }
        blocks.append(_table(alive, _("Four who share a queue"), columns))
    if death:
        told = _(
            "One of the four dies without a word while it works on a message. Where the broker "
            "waits for an acknowledgement, it sends to another client what the dead one had; where "
            "it does not, that is lost. What a client was done with and gets again is a duplicate, "
            "which makes the cell invalid. The longest response time is that of a message which "
            "had to wait until the broker noticed, or for its second turn."
        )
        columns = {
            _("lost"): FigureColumn("delivery.loss.count"),
            _("sent again"): FigureColumn("delivery.redelivered.count"),
            _("longest"): FigureColumn("delivery.response.max"),
        }
        blocks += [paragraph(told), _table(death, _("One of four dies"), columns)]
    return [Section(_("Queues: clients who compete for messages"), "queues", tuple(blocks))]


def _table(grid: CellTable, caption: str, columns: Mapping[str, FigureColumn]) -> Table:
    context = grid.context
    (step,) = grid.steps
    groups = tuple(
        RowGroup(
            tuple(
                Row(
                    grid.head(name),
                    tuple(grid.shown(name, step, column) for column in columns.values()),
                )
                for name in names
            )
        )
        for names in by_mode(context, grid.contenders).values()
    )
    titles = tuple(
        Column(title, "ms" if ".response." in column.metric else "")
        for title, column in columns.items()
    )
    return Table(caption, (context.words.gettext("contender"),), titles, groups)
