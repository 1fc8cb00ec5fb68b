"""Ease of use: what a codec asks of its user beside a dependency, traced to files."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from wirelab.report.api import (
    DASH,
    N_,
    Absent,
    CellTable,
    Column,
    Context,
    Head,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    cell,
    paragraph,
)

from .evolution import BACKWARD, FORWARD, outcome_of
from .formats import format_of, format_title, labelled

_SUITE = Path(__file__).resolve().parent.parent

_DESCRIBED = {
    "types": N_("types of the program"),
    "calls": N_("calls, a field each"),
    "nothing": N_("nowhere"),
}

_NAMES, _NUMBERS, _ORDER = N_("names"), N_("numbers"), N_("nothing but their order")
_TOLD_APART = {
    "cgd": _ORDER,
    "bincode": _ORDER,
    "postcard": _ORDER,
    "cereal": _ORDER,
    "rkyv": _ORDER,
    "protobuf": _NUMBERS,
    "flatbuffers": _NUMBERS,
    "capnproto": _NUMBERS,
    "avro": N_("the writer's schema"),
}
"""Means by which fields are told apart; names, in formats that are not here."""

_OPTIONAL = N_("an optional type of the language")
_NULL = {
    "cgd": N_("a count of -1, of strings and lists"),
    "protobuf": N_("fields marked optional"),
    "flatbuffers": N_("absent fields"),
    "capnproto": N_("null pointers"),
    "avro": N_("a union with null"),
    **dict.fromkeys(("json", "msgpack", "msgpackr-records", "cbor"), N_("null")),
}

Need = Mapping[str, Any]


@cache
def needs() -> Mapping[str, Need]:
    """Needs of each contender, by the folder of its sources."""
    return tomllib.loads((_SUITE / "usability.toml").read_text("utf-8"))


def usability(context: Context, changed: CellTable) -> Section:
    """A row a contender, those of a format together; a dash where versions were not tried."""
    _ = context.words.gettext
    opening = _(
        "“Ease of use matters”, says the study, and no more of it. What can be counted: where the "
        "data are described and what makes code of that, the lines that are written for the map "
        "of lists (T5) alone, without comments and lone braces, how a value that is not there is "
        "said, and what tells fields apart when the record changes, with how many of the changes "
        "were read right. Files are those of the suite, named in its usability.toml."
    )
    known = {
        name: need
        for name in context.contenders
        if name not in context.references and (need := needs().get(_sources(context, name)))
    }
    forms = dict.fromkeys(map(format_of, known))
    groups = tuple(
        RowGroup(
            tuple(
                Row(Head(labelled(context, name)), _cells(context, changed, name, need))
                for name, need in known.items()
                if format_of(name) == form
            ),
            Head(format_title(context, form)),
        )
        for form in forms
    )
    columns = (
        Column(_("described in"), align="left"),
        Column(_("generator"), align="left"),
        Column(_("lines for T5")),
        Column(_("null"), align="left"),
        Column(_("fields told apart by"), align="left"),
        Column(_("new code, old data"), align="left"),
        Column(_("old code, new data"), align="left"),
    )
    table = Table(_("What a codec asks for"), (_("format"), _("contender")), columns, groups)
    return Section(_("Ease of use"), "ease", (paragraph(opening), table))


def _sources(context: Context, name: str) -> str:
    """The folder of its sources, which may be those of another contender."""
    source: str = context.participant(name).manifest.source
    return name if source == "." else Path(source).name


def _cells(context: Context, changed: CellTable, name: str, need: Need) -> tuple[TableCell, ...]:
    _ = context.words.gettext
    form, described = format_of(name), need["described"]
    return (
        cell(_(_DESCRIBED[described]) if described in _DESCRIBED else Path(described).name),
        cell(need["generator"]) if "generator" in need else Absent(DASH),
        cell(str(need["lines"])),
        cell(_(_NULL.get(form, _OPTIONAL))),
        cell(_(_TOLD_APART.get(form, _NAMES))),
        _read(context, changed, name, BACKWARD),
        _read(context, changed, name, FORWARD),
    )


def _read(context: Context, changed: CellTable, name: str, direction: str) -> TableCell:
    outcomes = [outcome_of(changed, name, change, direction) for change in changed.all_steps]
    known = [outcome["outcome"] for outcome in outcomes if outcome]
    if not known:
        return Absent(DASH)
    said = context.words.gettext("{right} of {n} right")
    return cell(said.format(right=known.count("right"), n=len(known)))
