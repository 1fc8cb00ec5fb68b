"""Fate of data when the record has changed on one side alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from wirelab.report.api import (
    DASH,
    N_,
    Absent,
    Badge,
    Block,
    Bullets,
    CellTable,
    Column,
    Context,
    Head,
    Row,
    RowGroup,
    Section,
    Standing,
    StatementAnswer,
    Table,
    TableCell,
    WordsCell,
    claims,
    open_because,
    own_statements,
    paragraph,
    plain,
    series,
    text,
)

from .formats import CGD, format_of, formats
from .untried import untried

Tone = Literal["good", "warn", "bad", "neutral"]

BACKWARD, FORWARD, REWRITE = "backward", "forward", "rewrite"

_LABELS = {
    "right": N_("right"),
    "defaulted": N_("defaulted"),
    "refused": N_("refused"),
    "wrong": N_("misread"),
}
_TONES: Mapping[str, Tone] = {
    "right": "good",
    "defaulted": "warn",
    "refused": "neutral",
    "wrong": "bad",
}
_WORST_LAST = ("right", "defaulted", "refused", "wrong")
_KEPT = {
    "right": N_("Kept: {names}."),
    "defaulted": N_("Dropped: {names}."),
    "refused": N_("Refused on the way: {names}."),
    "wrong": N_("Misread on the way: {names}."),
}
_POSITIONAL = (CGD, "bincode", "postcard")

Outcome = Mapping[str, str]


def evolution(context: Context, found: CellTable) -> Section:
    """Two tables by direction; what is kept of unknown fields; who was not tried, and why."""
    _ = context.words.gettext
    title = _("Schema evolution")
    if not found:
        said = _("not run this time: ./wl run codec --scenario evolution")
        return Section(title, "evolution", (paragraph(said),))
    blocks: list[Block | Section] = [
        paragraph(
            _(
                "A record of five fields and what eight changes make of it, written by code of "
                "one version, read by code of the other. The record is edited as a programmer "
                "would edit it, without aliases; where a schema numbers its fields they keep their "
                "numbers. The contender says what it read, and the comparison with what was "
                "written decides, field by field."
            )
        ),
        Bullets(_outcomes(context)),
        _table(context, found, _("New code reads old data"), BACKWARD),
        _table(context, found, _("Old code reads new data"), FORWARD),
        paragraph(
            _(
                "Does new code still find the added field after old code, which does not know it, "
                "has read the data and written it again?"
            )
        ),
        Bullets(_kept(context, found)),
        *own_statements(context, _("Formats without names or tags"), [_positional(context, found)]),
    ]
    blocks += untried(context, found, _("its worker does not have the versions of the record"))
    return Section(title, "evolution", tuple(blocks))


def outcome_of(found: CellTable, name: str, change: str, direction: str) -> Outcome | None:
    """The worst that became of the values of a change; None without an answer."""
    own = found.cell(name, change)
    told: Sequence[Outcome] = _remarks(own).get(direction, ()) if own is not None else ()
    return max(told, key=lambda one: _WORST_LAST.index(one["outcome"]), default=None)


def _remarks(cell: Any) -> Mapping[str, Sequence[Outcome]]:
    told: Mapping[str, Sequence[Outcome]] = cell.remarks.get("evolution", {})
    return told


def _outcomes(context: Context) -> tuple[Any, ...]:
    _ = context.words.gettext
    said = (
        _("**right**: every field of the reader has what was written for it."),
        _(
            "**defaulted**: a field that the change concerns is empty, zero or absent, "
            "although it was written or is required."
        ),
        _("**refused**: the reader said that it cannot read this."),
        _("**misread**: another value or type than was written, and no error: silently wrong."),
    )
    return tuple(map(text, said))


def _kept(context: Context, found: CellTable) -> tuple[Any, ...]:
    """Contenders by what became of a field that the code between did not know."""
    names: dict[str, list[str]] = {kind: [] for kind in _KEPT}
    for name in found.contenders:
        if outcome := outcome_of(found, name, "added", REWRITE):
            names[outcome["outcome"]].append(context.name(name))
    return tuple(
        text(context.words.gettext(said), names=series(names[kind]))
        for kind, said in _KEPT.items()
        if names[kind]
    )


def _table(context: Context, found: CellTable, caption: str, direction: str) -> Table:
    """Contenders down, those of a format together; changes across."""
    rows = tuple(
        Row(
            Head(context.name(name)),
            tuple(
                _cell(context, outcome_of(found, name, change, direction))
                for change in found.all_steps
            ),
        )
        for form in formats(found)
        for name in found.contenders
        if format_of(name) == form
    )
    columns = tuple(Column(found.step_title(change), align="left") for change in found.all_steps)
    return Table(caption, (context.words.gettext("contender"),), columns, (RowGroup(rows),))


def _cell(context: Context, outcome: Outcome | None) -> TableCell:
    if outcome is None:
        return Absent(DASH)
    kind = outcome["outcome"]
    badge = Badge(context.words.gettext(_LABELS[kind]), _TONES[kind])
    told = () if kind in ("right", "refused") else (plain(outcome["told"]),)
    return WordsCell(told, badge)


def _positional(context: Context, found: CellTable) -> tuple[str, claims.Rule]:
    _ = context.words.gettext
    said = _("CGD, bincode and postcard do not read what another version of the record wrote")
    return said, lambda: _incompatible(context, found)


def _incompatible(context: Context, found: CellTable) -> StatementAnswer:
    """Whether each of them misreads or refuses some change, in both directions."""
    _ = context.words.gettext
    words, compatible = [], []
    for name in found.contenders:
        if format_of(name) not in _POSITIONAL:
            continue
        counts = {kind: _count(found, name, kind) for kind in ("wrong", "refused")}
        words.append(
            _("{name}: {wrong} misread and {refused} refused of {n}").format(
                name=context.name(name),
                wrong=sum(counts["wrong"]),
                refused=sum(counts["refused"]),
                n=2 * len(found.all_steps),
            )
        )
        if not all(map(sum, zip(*counts.values(), strict=True))):
            compatible.append(name)
    if not words:
        return open_because(_("none of them took part in this run"))
    return StatementAnswer(
        Standing.CONTRADICTED if compatible else Standing.SUPPORTED, "\n".join(words)
    )


def _count(found: CellTable, name: str, kind: str) -> tuple[int, int]:
    """Changes with this outcome, reading old data and reading new data."""
    read = [
        [outcome_of(found, name, change, direction) for change in found.all_steps]
        for direction in (BACKWARD, FORWARD)
    ]
    backward, forward = ([one for one in told if one and one["outcome"] == kind] for told in read)
    return len(backward), len(forward)
