"""Parts of the time of a round trip: conversions, encoding, decoding."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.report.api import (
    DASH,
    Absent,
    Block,
    Bullets,
    CellTable,
    Column,
    Context,
    Details,
    Figure,
    FigureColumn,
    Head,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    Text,
    numbers,
    paragraph,
    text,
)

from .formats import labelled

CONVERSIONS = ("to_message", "from_message")
_PHASES = ("to_message", "encode", "decode", "from_message")


def phases(context: Context, found: CellTable) -> Section:
    """Libraries with messages of their own in the open, all others folded."""
    _ = context.words.gettext
    own = [name for name in _contenders(found) if converts(found, name)]
    others = [name for name in _contenders(found) if name not in own]
    blocks: list[Block | Section] = [
        paragraph(
            _(
                "A phase is timed by itself, in loops of its own, so the phases need not add "
                "up to the round trip: caches are warmer, and a compiler may join what follows "
                "each other. The share of a phase is its part of the sum of the phases."
            )
        )
    ]
    if own:
        blocks += [
            Bullets(tuple(line for name in own if (line := _said(context, found, name)))),
            _table(context, found, own, _("Libraries with messages of their own")),
        ]
    else:
        blocks.append(paragraph(_("No contender with messages of its own was measured.")))
    if others:
        table = _table(context, found, others, _("Libraries that work on native values"))
        blocks.append(Details(_("Encoding and decoding of the other libraries"), (table,)))
    return Section(_("Where the time goes"), "phases", tuple(blocks))


def _contenders(found: CellTable) -> list[str]:
    return [name for group in found.peers for name in group.contenders]


def converts(found: CellTable, contender: str) -> bool:
    """Whether a library has messages that native values are converted to or from."""
    return any(
        found.value(contender, step, f"{phase}.time") is not None
        for step in found.steps
        for phase in CONVERSIONS
    )


def share(found: CellTable, contender: str, step: str, of: Sequence[str]) -> float | None:
    """Per cent of the sum of all phases; None where one of ``of``, or encoding or decoding, has
    no figure."""
    values = {phase: found.value(contender, step, f"{phase}.time") for phase in _PHASES}
    if any(values[phase] is None for phase in ("encode", "decode", *of)):
        return None
    whole = sum(value for value in values.values() if value is not None)
    return 100 * sum(values[phase] or 0.0 for phase in of) / whole if whole else None


def conversion_share(found: CellTable, contender: str, step: str) -> float | None:
    """Per cent of the phases that goes into conversions, of those the library has."""
    offered = [p for p in CONVERSIONS if found.value(contender, step, f"{p}.time") is not None]
    return share(found, contender, step, offered) if offered else None


def _said(context: Context, found: CellTable, contender: str) -> Text | None:
    """Tell the share of conversion in the phases, from the least to the most over the data."""
    known = {
        step: value
        for step in found.steps
        if (value := conversion_share(found, contender, step)) is not None
    }
    if not known:
        return None
    low, high = min(known, key=known.__getitem__), max(known, key=known.__getitem__)
    return text(
        context.words.gettext(
            "**{name}**: converting between native values and messages takes {low} % ({least}) to "
            "{high} % ({most}) of the phases."
        ),
        name=labelled(context, contender),
        low=numbers.brief(known[low]),
        least=low,
        high=numbers.brief(known[high]),
        most=high,
    )


def _table(context: Context, found: CellTable, contenders: Sequence[str], caption: str) -> Table:
    _ = context.words.gettext
    shown = [
        phase
        for phase in _PHASES
        if any(
            found.value(n, s, f"{phase}.time") is not None for n in contenders for s in found.steps
        )
    ]
    groups = []
    for name in contenders:
        rows = tuple(
            Row(Head(found.step_title(step)), _cells(found, name, step, shown))
            for step in found.steps
            if found.cell(name, step)
        )
        groups.append(RowGroup(rows, Head(labelled(context, name))))
    columns = [Column(_(phase), "ns") for phase in shown]
    columns += [Column(_("share of decoding"), "%")]
    if any(phase in CONVERSIONS for phase in shown):
        columns += [Column(_("share of conversions"), "%")]
    columns += [Column(_("round_trip"), "ns")]
    stub = (_("contender"), _("data"))
    return Table(caption, stub, tuple(columns), tuple(groups))


def _cells(found: CellTable, name: str, step: str, shown: Sequence[str]) -> tuple[TableCell, ...]:
    cells: list[TableCell] = [
        found.shown(name, step, FigureColumn(f"{phase}.time")) for phase in shown
    ]
    cells.append(_percent(share(found, name, step, ("decode",))))
    if any(phase in CONVERSIONS for phase in shown):
        cells.append(_percent(conversion_share(found, name, step)))
    cells.append(found.shown(name, step, FigureColumn("round_trip.time")))
    return tuple(cells)


def _percent(value: float | None) -> TableCell:
    return Absent(DASH) if value is None else Figure(numbers.brief(value))
