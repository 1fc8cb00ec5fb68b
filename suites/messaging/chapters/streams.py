"""Streams: how many messages a second each carries that come in time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wirelab.report.api import (
    Block,
    CellTable,
    Column,
    Context,
    Head,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    capacity_held,
    notes_for,
    paragraph,
)

from . import datagrams
from .cells import by_mode

SCENARIOS = (
    "stream-10ms",
    "stream-100ms",
    "stream-fan-out",
    "stream-fan-out-16",
    "stream-fan-in",
    "stream-fan-in-16",
    "stream-all",
    "stream-all-16",
    "stream-100kb",
    "stream-1mb",
)

_MADE_FOR_STREAMS = frozenset({"aeron", "kafka"})

_NS = 1e9
_MB = 1e6

Factor = Callable[[CellTable], float]


def sent_each_second(grid: CellTable) -> float:
    """Messages a second that one message a tick of each sender is."""
    (step,) = grid.scenario.steps.values()
    senders = step.users if step.lanes is None else step.lanes
    return int(senders) * _NS / grid.scenario.period


def _megabytes_each_second(grid: CellTable) -> float:
    """Payload that all receivers get a second, MB, for one message a tick of each sender."""
    (step,) = grid.scenario.steps.values()
    parameters = grid.scenario.parameters
    receivers = int(parameters.get("receivers", step.users))
    return sent_each_second(grid) * receivers * int(parameters["message_bytes"]) / _MB


def streams(context: Context) -> list[Section]:
    """The section on streams; none where no stream was run."""
    _ = context.words.gettext
    grids = [grid for name in SCENARIOS if (grid := CellTable.of(context, name))]
    if not grids:
        return []
    asked = _(
        "A sender hands over so many messages at every tick, one after the other without waiting "
        "for one before the next, and everybody gets all of them, the sender included. The rate is "
        "raised until a bound breaks: 99 of 100 deliveries come within 10 or 100 ms of when they "
        "were due, none is lost, and nothing that is handed over fails. What comes before the "
        "first second that counts is warming up."
    )
    counts = _(
        "Clients are one process with processors of its own, and so is what they talk to. The "
        "clients' process runs the library that is compared, so its limit counts. Every message is "
        "also made, compared byte by byte and counted there, alike in all contenders of a "
        "language, so that contenders of two languages differ by that, too. Guarantees differ as "
        "the table of meanings says: some are confirmed by a broker, most by nobody. The study "
        "has no such figure, for its clients wait for every answer."
    )
    stored = _(
        "Those that are persistent send to subscriptions that outlive a connection: a message is "
        "handed over when the journal has it, with the disk's word for it or without. What they "
        "hold beside the same broker without a journal is what storing costs a stream."
    )
    made_for_it = _(
        "Kafka gathers what waits for a partition into batches and keeps all of it in a log; Aeron "
        "passes packets on without a broker, at the pace of the slowest receiver. Both are made "
        "for streams: an echo, of which one is under way at a time, is nothing that they are for."
    )
    here = {name for grid in grids for name in grid.contenders}
    on_disk = [name for name in here if context.mode_of(name).startswith("persistent")]
    blocks: list[Block] = [
        paragraph(asked),
        paragraph(counts),
        *([paragraph(stored)] if on_disk else []),
        *([paragraph(made_for_it)] if here & _MADE_FOR_STREAMS else []),
        _table(grids, _("Messages sent a second, each in time"), "/s", sent_each_second),
        _table(grids, _("Payload received a second"), "MB/s", _megabytes_each_second),
        *datagrams.streams_lost(grids, sent_each_second, _columns(grids)),
    ]
    return [Section(_("Streams: messages a second that come in time"), "stream", tuple(blocks))]


def _table(grids: Sequence[CellTable], caption: str, unit: str, factor: Factor) -> Table:
    context = grids[0].context
    here = {name for grid in grids for name in grid.contenders}
    names = [name for name in context.contenders if name in here]
    groups = [
        RowGroup(tuple(_row(grids, name, factor) for name in of_mode), Head(mode))
        for mode, of_mode in by_mode(context, names).items()
    ]
    stub = ("", context.words.gettext("contender"))
    return Table(caption, stub, _columns(grids, unit), tuple(groups), notes_for(context, groups))


def _columns(grids: Sequence[CellTable], unit: str = "") -> tuple[Column, ...]:
    """The titles of scenarios, without what all have."""
    language = grids[0].context.language
    titles = (grid.scenario.title.of(language).partition(": ")[2] for grid in grids)
    return tuple(Column(title, unit) for title in titles)


def _row(grids: Sequence[CellTable], name: str, factor: Factor) -> Row:
    context = grids[0].context
    cells: tuple[TableCell, ...] = tuple(
        capacity_held(context, grid.cell(name, ""), factor(grid)) for grid in grids
    )
    return Row(Head(context.name(name), None, context.colour(name)), cells)
