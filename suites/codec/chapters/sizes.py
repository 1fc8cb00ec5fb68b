"""Encoded sizes, plain and compressed, and what an iteration allocates."""

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
    FigureColumn,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    Text,
    WordsCell,
    microbenchmark,
    numbers,
    paragraph,
    plain,
    series,
    text,
    value_of,
)

from .formats import format_of, format_title, formats, labelled, writers

PLAIN, PACKED = "encoded.size", "encoded.zstd"

Sizes = tuple[tuple[float | None, float | None], ...]
"""Plain and compressed bytes, step by step."""


def sizes(context: Context, found: CellTable) -> Section:
    """One row for all contenders of a format that write as many bytes; then allocations."""
    _ = context.words.gettext
    blocks: list[Block | Section] = [
        paragraph(
            _(
                "Bytes of the first instance of each data set, and below them the same bytes "
                "compressed alone with zstd (level 3). Short messages grow: a frame has a "
                "header of its own. Contenders that write as many bytes share a row."
            )
        ),
        _table(context, found),
    ]
    if said := _smallest(context, found):
        blocks.append(Bullets(said))
    blocks.append(Section(_("Allocations"), "allocations", tuple(_allocations(context, found))))
    return Section(_("Encoded sizes and allocations"), "sizes", tuple(blocks))


def _sizes_of(found: CellTable, contender: str) -> Sizes:
    """A size holds although a time does not; who encodes wrongly has none."""
    cells = [found.cell(contender, step) for step in found.steps]
    return tuple(
        (value_of(cell, PLAIN), value_of(cell, PACKED)) if cell else (None, None) for cell in cells
    )


def _by_size(found: CellTable, form: str) -> list[tuple[Sizes, list[str]]]:
    """Contenders of a format by what they write, most data first; who misses some joins those
    with whom the rest agrees; who has no size at all is left out."""
    names = [name for name in writers(found, form) if any(_known(_sizes_of(found, name)))]
    groups: list[tuple[Sizes, list[str]]] = []
    for name in sorted(names, key=lambda name: -sum(_known(_sizes_of(found, name)))):
        own = _sizes_of(found, name)
        for sizes_there, alike in groups:
            if all(
                mine in (there, (None, None)) for mine, there in zip(own, sizes_there, strict=True)
            ):
                alike.append(name)
                break
        else:
            groups.append((own, [name]))
    return groups


def _known(sizes_there: Sizes) -> list[bool]:
    return [size is not None for size, _packed in sizes_there]


def _table(context: Context, found: CellTable) -> Table:
    _ = context.words.gettext
    groups = []
    for form in formats(found):
        rows = tuple(
            Row(Head(context.names(names)), tuple(map(_size, own)))
            for own, names in _by_size(found, form)
        )
        if rows:
            groups.append(RowGroup(rows, Head(format_title(context, form))))
    columns = tuple(Column(step, "B") for step in found.steps)
    caption = _("Encoded size, and size after zstd")
    return Table(caption, (_("format"), _("contenders")), columns, tuple(groups))


def _size(size: tuple[float | None, float | None]) -> TableCell:
    own, packed = size
    if own is None:
        return Absent(DASH)
    lines = [f"{own:,.0f}"]
    if packed is not None:
        lines.append(f"zstd {packed:,.0f}")
    return WordsCell(tuple(plain(line) for line in lines))


def _smallest(context: Context, found: CellTable) -> tuple[Text, ...]:
    """The smallest for each data set, plain and compressed."""
    _ = context.words.gettext
    said = []
    for metric, template in (
        (PLAIN, _("Fewest bytes: {each}.")),
        (PACKED, _("Fewest bytes after zstd: {each}.")),
    ):
        each = []
        for step in found.steps:
            known = {
                name: value
                for name in found.contenders
                if (value := found.value(name, step, metric)) is not None
            }
            if known:
                least = min(known.values())
                winners = {format_of(name) for name, value in known.items() if value == least}
                titles = ", ".join(format_title(context, f) for f in formats(found) if f in winners)
                each.append(f"{step} {titles} ({numbers.brief(least, 6, whole=True)} B)")
        if each:
            said.append(text(template, each="; ".join(each)))
    return tuple(said)


# ------------------------------------------------------------------------------- allocations


def _allocations(context: Context, found: CellTable) -> list[Block]:
    _ = context.words.gettext
    names = _telling(found, "round_trip.allocated")
    silent = [
        labelled(context, name)
        for group in found.peers
        for name in group.contenders
        if name not in names
    ]
    opening = _(
        "Bytes that one round trip takes from the heap, counted in iterations of their own by a "
        "hook of the language: what lives on the stack, in an arena that is kept, or in a buffer "
        "that is reused costs nothing here. Languages count differently, so rows of one language "
        "are to be compared, no others."
    )
    blocks: list[Block] = [paragraph(opening)]
    if names:
        blocks.append(
            microbenchmark.plain_table(
                found,
                names,
                _("Allocated by a round trip"),
                FigureColumn("round_trip.allocated"),
            )
        )
    if silent:
        said = _("No allocation figures (the language or the loop cannot tell): {names}.")
        blocks.append(Paragraph(text(said, names=series(silent))))
    collected = _telling(found, "round_trip.gc.share")
    if collected:
        table = microbenchmark.plain_table(
            found,
            collected,
            _("Time in pauses of the garbage collector, round trip"),
            FigureColumn("round_trip.gc.share"),
        )
        blocks.append(Details(_("Garbage collection"), (table,)))
    return blocks


def _telling(found: CellTable, metric: str) -> Sequence[str]:
    """Contenders that have a figure of a metric, by language and mode."""
    return [
        name
        for group in found.peers
        for name in group.contenders
        if any(found.value(name, step, metric) is not None for step in found.steps)
    ]
