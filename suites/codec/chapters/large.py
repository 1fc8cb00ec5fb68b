"""Large messages: time, allocations and memory of a blob, of records at once and in a stream."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.report.api import (
    Block,
    Bullets,
    CellTable,
    Column,
    Context,
    FigureColumn,
    Head,
    Row,
    RowGroup,
    Section,
    Table,
    Text,
    notes_for,
    numbers,
    paragraph,
    text,
)

from .formats import within

MEMORY = ("to-bytes.memory", "from-bytes.memory")
_MS, _KB = 1e-6, 1e-3
_STREAM = "stream-"
_BUFFERS_MB, _GROWTH_MB = 16.0, 4.0
"""Memory of a stream, and its growth, up to which it is that of buffers and not of data."""


def large(context: Context, found: CellTable) -> Section:
    """A table a language, sizes below each other; then what streams grow by."""
    _ = context.words.gettext
    title = _("Large messages")
    if not found:
        said = _("not run this time: ./wl run codec --scenario large")
        return Section(title, "large", (paragraph(said),))
    blocks: list[Block | Section] = [
        paragraph(
            _(
                "One blob, many records at once, and as many records one after the other, of 1 MB "
                "to 64 MB of data. A record is a time, a value and a quality: 20 bytes in fixed "
                "fields. Writing goes from the native value to bytes and reading back, with "
                "everything between. A stream is a mode of its own: records are made one at a "
                "time, written to a file that keeps nothing, and read from one that repeats a "
                "thousand of them, so that neither side ever has all of them."
            )
        ),
        paragraph(
            _(
                "Memory is the peak beyond what was taken before, of one call that is not timed: "
                "resident memory as the kernel counts it, in Java the heap by whole buffers of its "
                "threads, some megabytes each. It has the garbage in it that a collector has not "
                "taken yet, so a young generation fills up before a stream of any length is "
                "collected."
            )
        ),
    ]
    blocks += [
        _table(context, found, language, names)
        for language in found.languages
        if (names := [name for group in found.peers_of(language) for name in group.contenders])
    ]
    if grown := _grown(context, found):
        opening = _("What a longer stream takes beyond a shorter one:")
        blocks += [paragraph(opening), Bullets(grown)]
    return Section(title, "large", tuple(blocks))


def _table(context: Context, found: CellTable, language: str, names: Sequence[str]) -> Table:
    _ = context.words.gettext
    shown = (
        FigureColumn("to_bytes.time", factor=_MS),
        FigureColumn("from_bytes.time", factor=_MS),
        FigureColumn("to_bytes.allocated", factor=_KB),
        FigureColumn("from_bytes.allocated", factor=_KB),
        *map(FigureColumn, MEMORY),
        FigureColumn("encoded.size", factor=_KB),
    )
    groups = tuple(
        RowGroup(
            tuple(
                Row(
                    Head(within(context, name)),
                    tuple(found.shown(name, step, column) for column in shown),
                )
                for name in names
                if found.cell(name, step)
            ),
            Head(found.step_title(step)),
        )
        for step in found.steps
    )
    columns = (
        Column(_("writing"), "ms"),
        Column(_("reading"), "ms"),
        Column(_("allocated, writing"), "kB"),
        Column(_("allocated, reading"), "kB"),
        Column(_("memory, writing"), "MB"),
        Column(_("memory, reading"), "MB"),
        Column(_("bytes written"), "kB"),
    )
    stub = (_("data"), _("contender"))
    return Table(language, stub, columns, groups, notes_for(context, groups))


def _grown(context: Context, found: CellTable) -> tuple[Text, ...]:
    """Memory of the shortest and the longest stream, of those whose memory is known in both."""
    _ = context.words.gettext
    steps = [step for step in found.steps if step.startswith(_STREAM)]
    if len(steps) < len(("shortest", "longest")):
        return ()
    bounded, said = [], []
    for name in found.contenders:
        low, high = (_memory(found, name, step) for step in (steps[0], steps[-1]))
        if low is None or high is None:
            continue
        if max(low, high) <= _BUFFERS_MB and high - low <= _GROWTH_MB:
            bounded.append(context.name(name))
            continue
        said.append(
            text(
                _("**{name}**: {low} MB for {short}, {high} MB for {long}."),
                name=context.name(name),
                low=numbers.brief(low),
                short=found.step_title(steps[0]),
                high=numbers.brief(high),
                long=found.step_title(steps[-1]),
            )
        )
    if bounded:
        told = _("Nothing but buffers: {names}.")
        said.insert(0, text(told, names=", ".join(bounded)))
    return tuple(said)


def _memory(found: CellTable, name: str, step: str) -> float | None:
    """The greater of the two directions."""
    known = [found.value(name, step, metric) for metric in MEMORY]
    return max((value for value in known if value is not None), default=None)
