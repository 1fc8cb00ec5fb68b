"""Does each understand the others? Golden bytes, every decoder on every encoder, truncations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wirelab.report.api import (
    DASH,
    Absent,
    Badge,
    Block,
    Bullets,
    CellTable,
    Column,
    Context,
    Details,
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
    cell,
    claims,
    open_because,
    own_statements,
    paragraph,
    plain,
    series,
    text,
)

from .formats import ORIGINAL, format_of, format_title, formats, labelled
from .negative import negative

_SHOWN_LENGTHS = 6
_CLEAN_ROOM = "-cgd-buffer"


def conformance(context: Context, steady: CellTable, conform: CellTable) -> Section:
    """Golden bytes from any run; the rest where the scenario was run."""
    _ = context.words.gettext
    title = _("Conformance")
    blocks: list[Block | Section] = [_golden_part(context, conform or steady, steady)]
    if not conform:
        said = _("not run this time: ./wl run codec --scenario conform")
        blocks.append(paragraph(said))
        return Section(title, "conformance", tuple(blocks))
    blocks.append(_read_part(context, conform))
    blocks.append(_truncated_part(context, conform))
    blocks.append(negative(context, conform))
    return Section(title, "conformance", tuple(blocks))


def remarks_of(found: CellTable, contender: str, step: str) -> Mapping[str, Any]:
    """The judge's notes on a contender's data."""
    own = found.cell(contender, step)
    return own.remarks if own is not None else {}


# -------------------------------------------------------------------------------- golden bytes


def _golden_part(context: Context, found: CellTable, steady: CellTable) -> Section:
    _ = context.words.gettext
    rows = []
    for source in (found, steady):
        rows = [row for name in source.contenders if (row := _golden_row(context, source, name))]
        if rows:
            found = source
            break
    opening = _(
        "The first instance of each data set, byte for byte against the golden vectors. Where one "
        "value has one encoding (CGD, and Protocol Buffers without maps) another one is wrong; "
        "elsewhere it is only another."
    )
    blocks: list[Block | Section] = [paragraph(opening)]
    if rows:
        columns = tuple(Column(step, align="left") for step in found.steps)
        groups = (RowGroup(tuple(rows)),)
        blocks.append(Table(_("Golden bytes"), (_("contender"),), columns, groups))
    else:
        blocks.append(paragraph(_("No contender of this run has golden vectors.")))
    said = _("The original of CGD and the clean-room codec write the same bytes")
    rule = (said, lambda: _same_bytes(context, found))
    blocks += own_statements(context, _("Every instance, byte by byte"), [rule])
    return Section(_("Golden bytes"), "golden", tuple(blocks))


def _same_bytes(context: Context, found: CellTable) -> StatementAnswer:
    """Compare the hashes of all encodings, by data set, in each language of an original."""
    _ = context.words.gettext
    told: list[StatementAnswer] = []
    for name in found.contenders:
        other = name.replace(ORIGINAL, _CLEAN_ROOM)
        if other == name or other not in found.contenders:
            continue
        unlike = [step for step in found.steps if not _alike(found, name, other, step)]
        line = _("{name}: other bytes in {steps}") if unlike else _("{name}: equal in {steps}")
        steps = ", ".join(unlike or found.steps)
        stand = Standing.CONTRADICTED if unlike else Standing.SUPPORTED
        told.append(StatementAnswer(stand, line.format(name=context.name(name), steps=steps)))
    if not told:
        return open_because(_("no original took part in this run"))
    return claims.all_of(told)


def _alike(found: CellTable, name: str, other: str, step: str) -> bool:
    own, its = (remarks_of(found, one, step).get("sha256") for one in (name, other))
    return own is not None and own == its


def _golden_row(context: Context, found: CellTable, name: str) -> Row | None:
    """None for a contender of which no vector is known."""
    _ = context.words.gettext
    labels = {"equal": _("equal"), "differs": _("other bytes")}
    stands = [str(remarks_of(found, name, step).get("golden", "")) for step in found.steps]
    if not any(stand in labels for stand in stands):
        return None
    cells: list[TableCell] = [
        WordsCell((), Badge(labels[stand], "good" if stand == "equal" else "warn"))
        if stand in labels
        else Absent(DASH)
        for stand in stands
    ]
    return Row(Head(context.name(name)), tuple(cells))


# --------------------------------------------------------------------------- who reads whom


def _read_part(context: Context, found: CellTable) -> Section:
    _ = context.words.gettext
    opening = _(
        "Every decoder on the bytes of every encoder of its format, across languages, every "
        "instance of every data set, compared value by value. Rows read what columns wrote; the "
        "numbers of the columns are those before the rows."
    )
    tables = [table for form in formats(found) if (table := _read_table(context, found, form))]
    blocks: list[Block | Section] = [paragraph(opening), *tables]
    if not tables:
        blocks.append(paragraph(_("No two contenders of this run write one format.")))
    if said := _unread(context, found):
        blocks.append(Bullets(said))
    return Section(_("Who reads whom"), "read", tuple(blocks))


def _readings(found: CellTable, reader: str) -> dict[str, dict[str, Mapping[str, Any]]]:
    """By writer and step, what the judge noted."""
    told: dict[str, dict[str, Mapping[str, Any]]] = {}
    for step in found.steps:
        for writer, row in remarks_of(found, reader, step).get("read", {}).items():
            told.setdefault(writer, {})[step] = row
    return told


def _read_table(context: Context, found: CellTable, form: str) -> Table | None:
    """The table of who reads whose bytes; None where nobody reads anybody else's."""
    readings = {
        name: told
        for name in found.contenders
        if format_of(name) == form and (told := _readings(found, name))
    }
    names = [n for n in found.contenders if n in readings or any(n in r for r in readings.values())]
    if len(names) < 2:
        return None
    rows = tuple(
        Row(
            Head(f"{number}  {labelled(context, name)}"),
            tuple(_reading(readings.get(name, {}).get(writer)) for writer in names),
        )
        for number, name in enumerate(names, start=1)
    )
    columns = tuple(Column(str(number), align="left") for number, name in enumerate(names, start=1))
    stub = (context.words.gettext("reads"),)
    return Table(format_title(context, form), stub, columns, (RowGroup(rows),))


def _reading(of: Mapping[str, Mapping[str, Any]] | None) -> TableCell:
    """Count the data sets that came over whole; name those that did not."""
    if of is None:
        return Absent(DASH)
    whole = [step for step, row in of.items() if row["same"] == row["of"]]
    if len(whole) == len(of):
        return WordsCell((), Badge(f"{len(whole)}/{len(of)}", "good"))
    broken = ", ".join(step for step in of if step not in whole)
    return WordsCell((plain(broken),), Badge(f"{len(whole)}/{len(of)}", "bad"))


def _unread(context: Context, found: CellTable) -> tuple[Text, ...]:
    """Say what went wrong first, wherever bytes of the own format could not be read."""
    template = context.words.gettext(
        "**{reader}** reading {writer}, {step}: {same} of {of} instances right; first: {first}"
    )
    return tuple(
        text(
            template,
            reader=context.name(reader),
            writer=context.name(writer) if writer in context.result.participants else writer,
            step=step,
            same=row["same"],
            of=row["of"],
            first=row["first"],
        )
        for reader in found.contenders
        for writer, steps in _readings(found, reader).items()
        for step, row in steps.items()
        if row["same"] != row["of"]
    )


# --------------------------------------------------------------------------------- truncations


def _truncated_part(context: Context, found: CellTable) -> Section:
    _ = context.words.gettext
    opening = _(
        "The own encoding of the first instance, cut after each of its bytes (at most 2,048 "
        "lengths): how many of the shorter ones were decoded without an error. A format without "
        "an end mark, such as Protocol Buffers, cannot notice a cut between two fields; one with "
        "counts can notice every cut."
    )
    answered = [
        name for name in found.contenders if any(_cuts(found, name, step) for step in found.steps)
    ]
    rows = tuple(
        Row(
            Head(labelled(context, name)),
            tuple(_truncated(context, found, name, step) for step in found.steps),
        )
        for name in answered
    )
    blocks: list[Block | Section] = [paragraph(opening)]
    if rows:
        columns = tuple(Column(step, align="left") for step in found.steps)
        table = Table(_("Accepted though truncated"), (_("contender"),), columns, (RowGroup(rows),))
        blocks.append(Details(_("Truncations of every contender"), (table,)))
        blocks.insert(1, Bullets(_accepting(context, found)))
    return Section(_("Truncated input"), "truncated", tuple(blocks))


def _cuts(found: CellTable, name: str, step: str) -> tuple[int, list[int]] | None:
    """Number of lengths tried, and those accepted; None without an answer."""
    told = remarks_of(found, name, step).get("truncate")
    if not told or "accepted" not in told:
        return None
    accepted = [length for length in told["accepted"] if length < told["length"]]
    return min(told["length"], 2048), accepted


def _truncated(context: Context, found: CellTable, name: str, step: str) -> TableCell:
    cuts = _cuts(found, name, step)
    if cuts is None:
        return Absent(DASH)
    tried, accepted = cuts
    if not accepted:
        return cell(f"0 / {tried:,}")
    shown = ", ".join(str(length) for length in accepted[:_SHOWN_LENGTHS])
    more = "…" if len(accepted) > _SHOWN_LENGTHS else ""
    said = context.words.gettext("at {lengths} B").format(lengths=shown + more)
    return WordsCell((plain(f"{len(accepted):,} / {tried:,}"), plain(said)))


def _accepting(context: Context, found: CellTable) -> tuple[Text, ...]:
    """Name those who accept cut input at all, and those who never do."""
    _ = context.words.gettext
    never: list[tuple[str, int, int]] = []
    some: list[tuple[str, int, int]] = []
    for name in found.contenders:
        cuts = [own for step in found.steps if (own := _cuts(found, name, step)) is not None]
        if cuts:
            total = sum(len(accepted) for _tried, accepted in cuts)
            tried = sum(tried for tried, _accepted in cuts)
            named = labelled(context, name)
            (some if total else never).append((named, total, tried))
    said = []
    if never:
        names = series(name for name, _total, _tried in never)
        said.append(text(_("Rejects every truncation: {names}."), names=names))
    if some:
        names = "; ".join(f"{name} ({total:,} / {tried:,})" for name, total, tried in some)
        said.append(text(_("Accepts some: {names}."), names=names))
    return tuple(said)
