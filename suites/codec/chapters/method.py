"""Subjects and method of the measurement."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path

from wirelab.report.api import (
    DASH,
    N_,
    Block,
    Bullets,
    CellTable,
    Column,
    Context,
    Definitions,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Section,
    Table,
    cell,
    marked,
    plain,
    text,
)

SHAPES = Path(__file__).resolve().parents[1] / "shapes"

_SHAPES = {
    "T1": N_("ten primitive fields, from one to eight bytes"),
    "T2": N_("eight strings, as fields"),
    "T3": N_("a list of eight 32-bit integers"),
    "T4": N_("the strings of T2, as a list"),
    "T5": N_("a map from string to a list of integers, six entries"),
    "telemetry": N_("1,000 points of a 64-bit time, a double and a 32-bit quality"),
    "chat": N_("a nested whiteboard message of about 1 KB"),
}

_OPERATIONS = {
    "to_message": N_("from the native value to the library's own message, where it has one"),
    "encode": N_("from the message (or native value) to bytes"),
    "decode": N_("from bytes to the message (or native value)"),
    "from_message": N_("from the library's message to the native value"),
    "round_trip": N_(
        "from the native value to bytes and back to a native value: the study's test, with "
        "everything between"
    ),
    "copy": N_("yardstick: copying a quarter of the bytes that the JSON text has"),
    "touch": N_("yardstick: reading every field of a value that is there already"),
}

_FOLD = N_(
    "**The checksum** of a value takes every number whole (its low 32 bits) and of every string "
    "the length, the first and the last unit, each weighted by its place; that of an encoding "
    "takes its length and three of its bytes. So every field is read and every encoding made; that "
    "each is right to the last character is compared apart from the loops."
)

_RULES = (
    N_(
        "**Nothing is optimised away.** Every decoded field goes into a checksum that the worker "
        "returns for every batch and the core computes again from the data: a loop that skips a "
        "field, keeps a result or reads nothing has another checksum, and no figure."
    ),
    N_(
        "**Nothing is known beforehand.** The inputs are a pool of different values in turn, read "
        "from files at run time: no compiler can compute what becomes of them."
    ),
    N_(
        "**Nothing is faster than copying.** A time below half of that of copying a quarter of the "
        "bytes of the JSON text, in the same language, is invalid."
    ),
    N_(
        "**Every process is fresh**, and the processes of all contenders take turns in random "
        "order: no contender gets the warm, cool or quiet hour of the machine alone."
    ),
    N_(
        "**Like with like.** Ranks are given within a language and a declared mode. A codec that "
        "keeps buffers, hands out views or skips validation is never ranked with one that does "
        "not."
    ),
    N_(
        "**Right before fast.** Every encoding and every decoded value of a pool is compared with "
        "the data before its times count; encodings are overwritten before what was decoded from "
        "them is looked at."
    ),
)


def method(context: Context, found: CellTable) -> Section:
    """Data, operations, modes, rules, and who declares what."""
    _ = context.words.gettext
    blocks: list[Block | Section] = [
        Bullets(tuple(text(_(rule)) for rule in _RULES)),
        Paragraph(text(_(_FOLD))),
        _data(context, found),
        _operations(context, found),
        _modes(context, found),
        _strings(context, found),
    ]
    return Section(_("What was measured, and how"), "method", tuple(blocks))


@cache
def inputs(step: str) -> int | None:
    """Count the different values that the loops take in turn; None without the file."""
    try:
        file = (SHAPES / f"{step}.json").read_text("utf-8")
    except FileNotFoundError:
        return None
    return len(json.loads(file)["pool"])


def _data(context: Context, found: CellTable) -> Table:
    _ = context.words.gettext
    rows = tuple(
        Row(
            Head(step),
            (cell(_(_SHAPES.get(step, step))), cell(str(inputs(step) or DASH))),
        )
        for step in found.steps
    )
    columns = (Column(_("what it is"), align="left"), Column(_("different inputs")))
    return Table(_("Data"), (_("name"),), columns, (RowGroup(rows),))


def _described(context: Context, title: str, rows: list[tuple[str, str]]) -> Table:
    columns = (Column(context.words.gettext("what it is"), align="left"),)
    drawn = tuple(Row(Head(name), (cell(said),)) for name, said in rows)
    return Table(title, (context.words.gettext("name"),), columns, (RowGroup(drawn),))


def _operations(context: Context, found: CellTable) -> Block:
    _ = context.words.gettext
    known = [name for name in found.scenario.operations if name in _OPERATIONS]
    return _described(context, _("Operations"), [(name, _(_OPERATIONS[name])) for name in known])


def _modes(context: Context, found: CellTable) -> Block:
    """Only the modes that contenders of this run declare."""
    declared = {word for name in found.contenders for word in context.modes_of(name)}
    return Definitions(
        tuple(
            (context.mode_title(name), plain(context.mode_meaning(name)))
            for name in context.result.modes
            if name in declared
        )
    )


def _strings(context: Context, found: CellTable) -> Block:
    """Count the contenders by the units in which they hold strings."""
    _ = context.words.gettext
    models = Counter(
        str(context.participant(name).manifest.tuning.get("strings", "–"))
        for name in found.contenders
        if name not in context.references
    )
    called = {"utf-8": "UTF-8", "utf-16": "UTF-16", "code-point": _("code points")}
    listed = ", ".join(f"{called.get(name, name)} {n}" for name, n in models.most_common())
    said = _(
        "**Strings** are what a program of the language holds. Contenders by the units of their "
        "strings: {models}. Where the format has other units, converting them is part of the work "
        "and of the times."
    )
    return Paragraph(tuple(span for span in marked(said.format(models=listed))))
