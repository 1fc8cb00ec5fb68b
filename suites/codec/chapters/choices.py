"""Choice of a library by the data, with reasons."""

from __future__ import annotations

from wirelab.report.api import (
    DASH,
    Absent,
    Block,
    Cell,
    CellTable,
    Column,
    Context,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    Text,
    WordsCell,
    advice,
    claims,
    numbers,
    paragraph,
    plain,
    ratio,
    ratio_words,
    remarks,
    series,
    text,
)

from .formats import TIMED
from .general import general

_WRITING, _READING = ("to_message", "encode"), ("decode", "from_message")
_MOSTLY = 0.67
"""Share of a distance that makes something its cause."""


def choices(context: Context, found: CellTable) -> Section:
    """A table a language and mode, then statements that hold across languages."""
    _ = context.words.gettext
    opening = _(
        "The first choice for each data set is the one with the fastest round trip of its "
        "language and mode, or several that are not told apart. Why: which half, writing or "
        "reading, the distance to the next one comes from, as far as both halves have figures, and "
        "what a round trip allocates. Where figures are missing or nothing is told apart, it stays "
        "open."
    )
    blocks: list[Block | Section] = [paragraph(opening)]
    for language in found.languages:
        groups = [group for group in found.peers_of(language) if len(group.contenders) > 1]
        if groups:
            blocks.append(_table(context, found, language, groups))
    alone = [
        context.name(group.contenders[0]) for group in found.peers if len(group.contenders) == 1
    ]
    if alone:
        said = _(
            "These have no company in their language and mode, so there is nothing to choose: "
            "{names}."
        )
        blocks.append(Paragraph(text(said, names=series(alone))))
    blocks += general(context, found)
    return Section(_("Which library for which data"), "choices", tuple(blocks))


def _table(context: Context, found: CellTable, language: str, groups: list[CellTable]) -> Table:
    _ = context.words.gettext
    drawn = []
    for group in groups:
        rows = tuple(Row(Head(part.title), _row(context, found, part)) for part in group.by_step)
        drawn.append(RowGroup(rows, Head(group.mode_title or "–")))
    columns = tuple(
        Column(title, align="left")
        for title in (_("first choice"), _("round trip"), _("next"), _("why"))
    )
    return Table(language, (_("mode"), _("data")), columns, tuple(drawn))


def _row(context: Context, found: CellTable, part: CellTable) -> tuple[TableCell, ...]:
    _ = context.words.gettext
    choice = advice.by_metric(context, part, TIMED)
    if not choice.decided or choice.level:
        reason = _("not told apart") if choice.level else ""
        why: Text = plain(reason) if reason else choice.grounds
        return Absent(_("undecided")), Absent(DASH), Absent(DASH), WordsCell((why,))
    best = remarks.leaders(part, TIMED)
    first = min(best, key=lambda cell: cell.metrics[TIMED].value or 0.0)
    nearest = _next(part, best)
    own = claims.shown(first.metrics[TIMED])
    behind = _distance(context, first, nearest) if nearest else ""
    return (
        WordsCell((text("**{names}**", names=series(_title(context, cell) for cell in best)),)),
        WordsCell((plain(own),)),
        WordsCell((plain(behind),)) if behind else Absent(DASH),
        WordsCell(tuple(map(plain, _why(context, found, first, nearest)))),
    )


def _title(context: Context, found: Cell) -> str:
    return context.title(found.contender)


def _next(part: CellTable, best: list[Cell]) -> Cell | None:
    """The fastest of those that are shown to be slower."""
    others = [c for c in part.ranked if TIMED in c.ranks and c not in best]
    return min(others, key=lambda cell: cell.metrics[TIMED].value or 0.0, default=None)


def _distance(context: Context, first: Cell, other: Cell) -> str:
    apart = ratio(other.metrics[TIMED], first.metrics[TIMED])
    times = ratio_words(apart) if apart else DASH
    return context.words.gettext("{name}: {n} times").format(
        name=context.title(other.contender), n=times
    )


def _why(context: Context, found: CellTable, first: Cell, other: Cell | None) -> list[str]:
    """Say which half the distance comes from, and what is allocated; a dash without figures."""
    _ = context.words.gettext
    lines = []
    if other is not None and (halves := _halves(found, first, other)) is not None:
        writing, reading = halves
        whole = writing + reading
        if whole > 0:
            share = numbers.brief(100 * max(writing, reading) / whole)
            if writing >= _MOSTLY * whole:
                lines.append(_("it writes faster: {share} % of the distance").format(share=share))
            elif reading >= _MOSTLY * whole:
                lines.append(_("it reads faster: {share} % of the distance").format(share=share))
            else:
                lines.append(_("it writes and reads faster, about alike"))
    names = [cell for cell in (first, other) if cell is not None]
    allocated = [
        (cell, value)
        for cell in names
        if (value := found.value(cell.contender, cell.step, "round_trip.allocated")) is not None
    ]
    if len(allocated) == 2:
        lines.append(
            _("allocates {a} B, the next one {b} B").format(
                a=f"{allocated[0][1]:,.0f}", b=f"{allocated[1][1]:,.0f}"
            )
        )
    return lines or [DASH]


def _halves(found: CellTable, first: Cell, other: Cell) -> tuple[float, float] | None:
    """Nanoseconds that the other one takes longer to write and to read; None without figures of
    encoding and decoding."""
    totals = []
    for half in (_WRITING, _READING):
        own, theirs = (_sum(found, cell, half) for cell in (first, other))
        if own is None or theirs is None:
            return None
        totals.append(theirs - own)
    if min(totals) < 0 and max(totals) <= -min(totals):
        return None  # the halves contradict the whole: no cause can be named
    return max(totals[0], 0.0), max(totals[1], 0.0)


def _sum(found: CellTable, cell: Cell, phases: tuple[str, ...]) -> float | None:
    values = {phase: found.value(cell.contender, cell.step, f"{phase}.time") for phase in phases}
    if all(value is None for phase, value in values.items() if phase in ("encode", "decode")):
        return None
    return sum(value for value in values.values() if value is not None)
