"""Inputs that nobody should have written, and each library's reaction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from wirelab.report.api import (
    DASH,
    Absent,
    Badge,
    Block,
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
    Text,
    WordsCell,
    numbers,
    open_because,
    own_statements,
    paragraph,
    plain,
)

from ..judging.shown import shown
from .formats import CGD, ORIGINAL, format_of, format_title, formats, labelled

VECTORS = Path(__file__).resolve().parents[1] / "vectors" / "negative.json"

_UNCHECKED = 1_000_000
"""Bytes: no vector is longer than a few hundred, so who allocates more believed a count."""


Outcomes = Mapping[tuple[str, str], Mapping[str, Any]]
"""A contender's outcomes on the vectors, by their step and name."""


@cache
def vectors() -> tuple[Mapping[str, str], ...]:
    """The vectors, in the order of their file."""
    return tuple(json.loads(VECTORS.read_text("utf-8")))


def negative(context: Context, found: CellTable) -> Section:
    """A table a format, vectors down, libraries across."""
    _ = context.words.gettext
    opening = _(
        "Accepting is no fault where the format leaves it open; the value shows what became of "
        "the input. A warning marks what a decoder should have rejected: a count or length that "
        "the input does not hold, a missing terminator. Bytes are what the call allocated, where "
        "the language can tell. The numbers of the columns are those of the list above each table."
    )
    blocks: list[Block | Section] = [paragraph(opening)]
    for form in formats(found):
        blocks += _of_format(context, found, form)
    caption = _("Counts that the input does not hold")
    said = _("None of this suite's own CGD codecs allocates from an unchecked count")
    blocks += own_statements(context, caption, [(said, lambda: unchecked(context, found))])
    return Section(_("Bad input"), "negative", tuple(blocks))


def rejections(found: CellTable, contender: str) -> Outcomes:
    """Collect a contender's outcomes on the vectors, by their step and name."""
    return {
        (step, name): outcome
        for step in found.steps
        for name, outcome in _remarks(found, contender, step).items()
    }


def _remarks(found: CellTable, contender: str, step: str) -> Mapping[str, Mapping[str, Any]]:
    own = found.cell(contender, step)
    told: Mapping[str, Mapping[str, Any]] = own.remarks.get("reject", {}) if own else {}
    return told


def _of_format(context: Context, found: CellTable, form: str) -> list[Block]:
    _ = context.words.gettext
    outcomes = {
        name: told
        for name in found.contenders
        if format_of(name) == form and (told := rejections(found, name))
    }
    known = [v for v in vectors() if v["format"] == form and not _is_mutant(v["name"])]
    rows = [_mutants(context, outcomes)] if any(map(_mutants_of, outcomes.values())) else []
    rows[:0] = (
        Row(
            Head(f"{vector['name']} · {vector['step']}"),
            tuple(
                _outcome(context, vector, told.get((vector["step"], vector["name"])))
                for told in outcomes.values()
            ),
        )
        for vector in known
    )
    if not outcomes or not rows:
        return []
    listed = "; ".join(
        f"{number} {labelled(context, name)}" for number, name in enumerate(outcomes, start=1)
    )
    columns = tuple(
        Column(str(number), align="left") for number, name in enumerate(outcomes, start=1)
    )
    caption = _("{format}: {contenders}").format(
        format=format_title(context, form), contenders=listed
    )
    return [Table(caption, (_("vector"),), columns, (RowGroup(tuple(rows)),))]


def _is_mutant(name: str) -> bool:
    """Golden bytes with a few changed at random: many, and only told together."""
    return name.startswith("mutant")


def _mutants_of(told: Outcomes) -> list[Mapping[str, Any]]:
    return [outcome for (_step, name), outcome in told.items() if _is_mutant(name)]


def _mutants(context: Context, outcomes: Mapping[str, Outcomes]) -> Row:
    """Count the mutants that each rejects, with the most that one of them made it allocate."""
    _ = context.words.gettext
    cells: list[TableCell] = []
    for told in outcomes.values():
        own = _mutants_of(told)
        rejected = sum(outcome["outcome"] == "rejected" for outcome in own)
        words = _("{rejected} of {n} rejected").format(rejected=rejected, n=len(own))
        most = _allocated(own)
        said = [words] if most is None else [words, _("at most {bytes}").format(bytes=_bytes(most))]
        cells.append(WordsCell(tuple(map(plain, said))) if own else Absent(DASH))
    return Row(Head(_("golden bytes changed at random")), tuple(cells))


def _outcome(
    context: Context, vector: Mapping[str, str], outcome: Mapping[str, Any] | None
) -> TableCell:
    _ = context.words.gettext
    if outcome is None:
        return Absent(DASH)
    lines: list[Text] = []
    if outcome["outcome"] == "accepted":
        lines.append(plain(_value(vector["name"], outcome)))
    if (allocated := outcome.get("allocated_bytes")) is not None and _about_counts(vector["name"]):
        lines.append(plain(_bytes(allocated)))
    if outcome["outcome"] == "rejected":
        return WordsCell(tuple(lines), Badge(_("rejected"), "good"))
    wrong = vector["expect"] == "reject"
    return WordsCell(tuple(lines), Badge(_("accepted"), "warn" if wrong else "neutral"))


def _value(vector: str, outcome: Mapping[str, Any]) -> str:
    """The value made of the input, in words; older runs hold the value itself."""
    return outcome["shown"] if "shown" in outcome else shown(vector, outcome["value"])


def _about_counts(name: str) -> bool:
    return name.startswith(("huge", "count", "packed-length", "varint"))


def _bytes(count: int) -> str:
    return f"{numbers.number(count, 0)} B" if count < 100_000 else numbers.size(count)


def unchecked(context: Context, found: CellTable) -> StatementAnswer:
    """The most that any of the suite's own CGD codecs allocated for a huge count."""
    _ = context.words.gettext
    said: list[tuple[int, str]] = []
    for name in found.contenders:
        if format_of(name) != CGD or name.endswith(ORIGINAL):
            continue
        told = {key: o for key, o in rejections(found, name).items() if key[1].startswith("huge")}
        if accepted := [key for key, o in told.items() if o["outcome"] == "accepted"]:
            listed = ", ".join(f"{vector} ({step})" for step, vector in accepted)
            words = _("{name} accepted {vectors}").format(name=context.name(name), vectors=listed)
            return StatementAnswer(Standing.CONTRADICTED, words)
        known = _allocated(list(told.values()))
        if known is not None:
            words = _("{name}: at most {bytes}, {n} vectors rejected").format(
                name=context.name(name), bytes=_bytes(known), n=len(told)
            )
            said.append((known, words))
    if not said:
        return open_because(_("no CGD codec of this run reported what it allocated"))
    most, decisive = max(said)
    stand = Standing.SUPPORTED if most < _UNCHECKED else Standing.CONTRADICTED
    return StatementAnswer(stand, "\n".join(line for _most, line in said), decisive)


def _allocated(outcomes: Sequence[Mapping[str, Any]]) -> int | None:
    known = [o["allocated_bytes"] for o in outcomes if o.get("allocated_bytes") is not None]
    return max(known, default=None)
