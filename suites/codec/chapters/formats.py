"""Formats that contenders write, and the contenders of each format in a language."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wirelab.report.api import N_, CellTable, Context

CGD, PROTOBUF, JSON = "cgd", "protobuf", "json"
ORIGINAL = "-cgd-original"
"""Ending of the names of codecs by the author of CGD; the other ones are the suite's own."""

_TITLES = {
    CGD: N_("CGD"),
    PROTOBUF: N_("Protocol Buffers"),
    JSON: N_("JSON"),
    "msgpack": N_("MessagePack"),
    "cbor": N_("CBOR"),
    "flatbuffers": N_("FlatBuffers"),
    "capnproto": N_("Cap'n Proto"),
    "avro": N_("Avro"),
}

_BY_NAME = (
    (CGD, r"cgd"),
    ("msgpackr-records", r"records"),
    ("msgpack", r"msgpack|\brmp\b"),
    ("cbor", r"cbor"),
    (PROTOBUF, r"protobuf|prost|bufbuild"),
    ("flatbuffers", r"flatbuf"),
    ("capnproto", r"capn"),
    ("avro", r"avro|avsc"),
    (JSON, r"json|jackson|gson|sonic|msgspec"),
)
"""The first that is found in a contender's name; anything else is a format of the library's own."""

TIMED = "round_trip.time"


def format_of(contender: str) -> str:
    """The format a contender writes; the library's own one by the library's name."""
    library = contender.partition("-")[2] or contender
    found = next((form for form, pattern in _BY_NAME if re.search(pattern, library)), None)
    return found or library


def format_title(context: Context, form: str) -> str:
    """Name of a format."""
    title = _TITLES.get(form)
    return context.words.gettext(title) if title else form


def writers(
    found: CellTable, form: str, language: str | None = None, mode: str | None = None
) -> list[str]:
    """The contenders of a format, of a language and mode where these are given."""
    return [
        name
        for name in found.contenders
        if name not in found.context.references
        and format_of(name) == form
        and language in (None, found.context.language_of(name))
        and mode in (None, found.context.mode_of(name))
    ]


def labelled(context: Context, contender: str) -> str:
    """A contender's name; its mode where that is another than a fresh value in every iteration."""
    return _with_mode(context, contender, context.name(contender))


def within(context: Context, contender: str) -> str:
    """The same where the language has been said: the title alone."""
    return _with_mode(context, contender, context.title(contender))


def _with_mode(context: Context, contender: str, name: str) -> str:
    mode = context.mode_of(contender)
    if mode in ("", "fresh") or mode in context.participant(contender).manifest.title.en.lower():
        return name
    return f"{name} · {context.mode_title(mode)}"


def fastest(
    found: CellTable, contenders: Sequence[str], step: str, metric: str = TIMED
) -> str | None:
    """The one with the smallest valid figure; None without any."""
    values = {name: found.value(name, step, metric) for name in contenders}
    known = [(value, name) for name, value in values.items() if value is not None]
    return min(known)[1] if known else None


def formats(found: CellTable) -> list[str]:
    """The formats that contenders of a scenario write: those of several libraries first."""
    seen = {format_of(name) for name in found.contenders if name not in found.context.references}
    order = list(_TITLES)
    return sorted(seen, key=lambda f: (order.index(f) if f in order else len(order), f))


def yardstick(found: CellTable) -> str | None:
    """The C++ contender of the CGD format, to which the study relates every figure."""
    own = writers(found, CGD, "C++")
    if "cpp-cgd-buffer" in own:
        return "cpp-cgd-buffer"
    return own[0] if own else None
