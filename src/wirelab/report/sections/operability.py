"""Cost of owning a contender, as its builder read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from wirelab.model.participant import Participant
from wirelab.report.apart import apart
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.costs import (
    COSTS,
    CostRow,
    cheapest,
    cost_of,
    is_known,
    known_costs,
    published_as,
)
from wirelab.report.document import (
    Absent,
    Block,
    Bullets,
    Column,
    Figure,
    Head,
    MeasuredBesidePublished,
    Paragraph,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    Text,
    WordsCell,
    cell,
    marked,
    plain,
    text,
)
from wirelab.report.sections.versions import local_packages
from wirelab.report.tabulate import DASH, FigureColumn, measured, notes_for
from wirelab.report.turned import turned
from wirelab.words.translation import N_

_MOST_ACROSS = 16
"""More contenders than this stand below each other; a study says nothing of so many."""

_OF_RUNTIMES = N_(
    "With the runtime: what an image for it has beyond a bare system, which is the files of the "
    "runtime on this machine and the shared libraries that its program loads, without compilers, "
    "tests, documentation. A native program brings none."
)

_OF_LINES = N_(
    "Contenders share libraries of their suite: the second number of lines has these in it, and "
    "of both the third has the files that connect and help, by the lists in their manifests."
)

_MEASURED_OTHERWISE = ("size", "lines")
"""Figures that a study may count in another way: its own name of the figure is printed."""


def ownership(context: Context, comparison: CellTable | None) -> Section:
    """Install size, dependencies, licences, lines, start-up time."""
    _ = context.words.gettext
    rows = [_cost_row(context, cost) for cost in known_costs(context)]
    rows.append(_row(context, "licence", _("licence"), _licence))
    if any(_has_dependencies(context.participant(name)) for name in context.contenders):
        rows.append(_row(context, "licences", _("licences of the dependencies"), _licences))
    if any(_by_version(context.participant(name)) for name in context.measured):
        rows.append(_row(context, "pinned", _("packages pinned by"), partial(_pinned, context)))
    if comparison is not None and (startup := _startup_row(context, comparison)):
        rows.append(startup)
    blocks: list[Block | Section] = [
        Paragraph(
            plain(
                _(
                    "Read by the builder, in the same way for all: the size of what has to be "
                    "installed beside the runtime, packages named by the contender (direct) and "
                    "those they pull in (transitive), and the lines of the contender's own source "
                    "that are not blank. ★ marks the smallest. Lines are shown and not judged: "
                    "fewer of them may be denser code instead of an easier library."
                )
            )
        ),
        *_tables(context, _("Size, dependencies, licences, code"), rows),
    ]
    explained = {"common": _OF_LINES, "image": _OF_RUNTIMES}
    for key, meaning in explained.items():
        if is_known(context, key):
            blocks.insert(1, Paragraph(plain(_(meaning))))
    if said := _remarks(context):
        blocks.append(Bullets(said))
    return Section(_("Build and dependencies"), "ownership", tuple(blocks))


def security(context: Context) -> Section:
    """Switches for security in each contender."""
    _ = context.words.gettext

    def said(participant: Participant) -> Plain:
        words = participant.manifest.security.of(context.language)
        return WordsCell((marked(words),)) if words else Absent(DASH)

    row = _row(context, "security", _("how it is switched"), said)
    return Section(
        _("Switching the security policy"),
        "security",
        tuple(_tables(context, _("Security policy"), [row])),
    )


def _tables(context: Context, caption: str, rows: Sequence[Row]) -> list[Block]:
    """Ours, and apart from it what was published of contenders that were not measured here."""
    _ = context.words.gettext
    columns = [
        Column(context.name(name), align="left", colour=context.colour(name))
        for name in context.measured
    ]
    here = len(columns)
    published = context.published
    if len(columns) > _MOST_ACROSS:
        return [turned(Table(caption, (_("item"),), tuple(columns), (RowGroup(tuple(rows)),)))]
    if published is not None and published.ownership:
        columns += [
            Column(published.contenders[key].title.of(context.language), align="left")
            for key in context.published_unmeasured()
        ]
    groups = (RowGroup(tuple(rows)),)
    whole = Table(caption, (_("item"),), tuple(columns), groups, notes_for(context, groups))
    return apart(whole, here, len(columns), _("{caption}: published only").format(caption=caption))


def _cost_row(context: Context, cost: CostRow) -> Row:
    _ = context.words.gettext
    best = cheapest(context, cost.key)

    def figure(participant: Participant) -> Plain:
        if participant.ownership is None:
            return Absent(_("not built"))
        value = cost.value(participant.ownership)
        if value is None:
            return Absent(DASH)
        return Figure(cost.shown(value), star=participant.manifest.contender in best)

    return _row(context, published_as(context, cost.key), _(cost.label), figure)


def _row(context: Context, key: str, label: str, here: Callable[[Participant], Plain]) -> Row:
    """One item of every contender, with what the study says of it below."""
    published = context.published
    theirs = published.ownership.get(key, {}) if published else {}
    cells: list[TableCell] = []
    for name in context.measured:
        cells.append(_pair(context, here(context.participant(name)), key, context.key_of(name)))
    few = len(context.measured) <= _MOST_ACROSS
    if few and published is not None and published.ownership:
        cells += [
            _pair(context, Absent(DASH), key, published_name)
            for published_name in context.published_unmeasured()
        ]
    title = theirs["label"].of(context.language) if "label" in theirs else ""
    other = title and title.lower() != label.lower() and key in _MEASURED_OTHERWISE
    head = f"{label} ({context.words.gettext('published')}: {title})" if other else label
    return Row(Head(head), tuple(cells))


def _pair(context: Context, here: Plain, key: str, published_name: str | None) -> TableCell:
    published = context.published
    if published is None or published_name is None:
        return here
    said = published.ownership.get(key, {}).get(published_name)
    if said is None:
        return here
    theirs = WordsCell(
        (plain(said.of(context.language)),), marks=published.marks(f"own.{key}", published_name)
    )
    return MeasuredBesidePublished(here, theirs, context.words.gettext("published"))


def _licence(participant: Participant) -> Plain:
    return cell(participant.manifest.library.licence)


def _has_dependencies(participant: Participant) -> bool:
    return participant.ownership is not None and bool(participant.ownership.dependencies)


def _licences(participant: Participant) -> Plain:
    own = participant.ownership
    if own is None or not own.dependencies:
        return Absent(DASH)
    counted = Counter(dependency.licence or "?" for dependency in own.dependencies)
    lines = tuple(plain(f"{licence} × {count}") for licence, count in counted.most_common())
    return WordsCell(lines)


def _by_version(participant: Participant) -> bool:
    return participant.manifest.build.pinned == "version"


def _pinned(context: Context, participant: Participant) -> Plain:
    _ = context.words.gettext
    if not _has_dependencies(participant):
        return Absent(DASH)
    if not _by_version(participant):
        return cell(_("hash"))
    return cell(_("version, local source") if local_packages(participant) else _("version"))


def _startup_row(context: Context, comparison: CellTable) -> Row | None:
    _ = context.words.gettext
    by_name = {found.contender: found for found in comparison.cells}
    column = FigureColumn("startup.time")
    if not any(column.metric in found.metrics for found in comparison.cells):
        return None

    def figure(participant: Participant) -> Plain:
        found = by_name.get(participant.manifest.contender)
        return measured(context, found, column) if found else Absent(_("not measured"))

    return _row(context, "startup", _("start-up time (ms)"), figure)


def _remarks(context: Context) -> tuple[Text, ...]:
    """Name the smallest in each figure."""
    _ = context.words.gettext
    said = []
    for cost in COSTS:
        best = sorted(cheapest(context, cost.key), key=context.contenders.index)
        built = [name for name in context.contenders if context.participant(name).ownership]
        if best and len(best) < len(built):
            value = cost_of(context.participant(best[0]), cost.key) or 0
            said.append(
                text(
                    _("Smallest {item}: **{names}** ({value})."),
                    item=_(cost.label),
                    names=context.names(best),
                    value=cost.shown(value),
                )
            )
    return tuple(said)
