"""The load of S7 by clients that have little of a machine: who keeps pace with how much of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from wirelab.report.api import (
    DASH,
    N_,
    OF_TOO_LITTLE,
    Absent,
    Badge,
    Block,
    CellTable,
    Choice,
    Context,
    FigureColumn,
    Head,
    Plain,
    Row,
    RowGroup,
    Section,
    WordsCell,
    advice,
    failure_words,
    paragraph,
    plain,
    steps,
    text,
)

_SCENARIO = "edge"
_WHOLE = "whole"
_PROCESSOR = ("processor-50", "processor-25", "processor-10")
_MEMORY = ("memory-256", "memory-128")
"""Variants from the most to the least that a client is given."""

_MOST_MISSED = 5.0
"""Per cent of the reads that may miss their deadline where pace is kept."""

_FIGURES = {
    "read.response.p50": N_("response of reads, p50, ms"),
    "read.response.p95": N_("response of reads, p95, ms"),
    "read.miss.ratio": N_("reads after their deadline, %"),
    "startup.time": N_("start until ready, ms"),
    "cpu.mean": N_("CPU of the client, %"),
    "rss.max": N_("memory of the client (RSS max), MB"),
}


def sections(context: Context) -> list[Section]:
    """The section on little of a machine; none where the scenario was not run."""
    tables = _tables(context)
    if not tables:
        return []
    _ = context.words.gettext
    blocks: list[Block] = [
        paragraph(
            _(
                "The load of S7 by a client that the kernel gives no more than a share of one "
                "processor, or no more than so much memory; the server has no limit. A share is so "
                "much of every 100 ms, as containers are limited: who has used it up stands still "
                "until the next 100 ms begin. Pace is kept where no more than {most} % of the "
                "reads end after their deadline of 100 ms. The study recommends for the edge by "
                "RSS alone, and by one that cannot be right."
            ).format(most=f"{_MOST_MISSED:g}")
        ),
        _sheet(context, tables),
    ]
    return [Section(_("With little of a machine"), "edge", tuple(blocks))]


def measured(context: Context) -> bool:
    """Whether anybody was measured with less than the whole machine."""
    return any(variant != _WHOLE for variant in _tables(context))


def choice(context: Context) -> Choice:
    """Choose who keeps pace with the least: of processor and memory both, then by RSS.

    Left open where one needs less of the one and another less of the other.
    """
    _ = context.words.gettext
    tables = _tables(context)
    reached = {name: _reached(tables, name) for name in _names(context, tables)}
    known = {name: least for name, least in reached.items() if least is not None}
    if len(known) < 2:
        return advice.undecided(
            _("too few clients were measured with every limit: ./wl run opcua --scenario edge")
        )
    said = "; ".join(
        f"{context.name(name)}: {_told(context, tables, least)}" for name, least in known.items()
    )
    grounds = text(_("Least that pace was kept with: {figures}."), figures=said)
    first = _leaders(known)
    if not first:
        return replace(advice.undecided(""), grounds=grounds)
    second = _leaders({name: least for name, least in known.items() if name not in first})
    shared = Choice(
        tuple(map(context.name, first)),
        tuple(map(context.name, second)),
        grounds,
        level=len(first) == len(known),
    )
    if len(first) == 1 or _WHOLE not in tables:
        return shared
    by_memory = advice.by_metric(context, tables[_WHOLE].among(first), "rss.max")
    if not by_memory.decided or by_memory.level:
        return shared
    behind = by_memory.second or shared.second
    return Choice(by_memory.first, behind, (*grounds, *plain(" "), *by_memory.grounds))


# ------------------------------------------------------------------------------ who kept pace


def _tables(context: Context) -> dict[str, CellTable]:
    """The cells of each variant that was run, from the most to the least."""
    order = (_WHOLE, *_PROCESSOR, *_MEMORY)
    found = {variant: CellTable.of(context, _SCENARIO, variant=variant) for variant in order}
    return {variant: table for variant, table in found.items() if table}


def _names(context: Context, tables: Mapping[str, CellTable]) -> list[str]:
    here = {name for table in tables.values() for name in table.contenders}
    return [name for name in context.contenders if name in here]


def _why_ended(table: CellTable, name: str) -> str:
    """Code of why a trial ended that had too little; empty where none did."""
    cell = table.cell(name)
    said = cell.other_trials.values() if cell is not None else ()
    return next((code for why in said if (code := why.partition(":")[0]) in OF_TOO_LITTLE), "")


def _kept(table: CellTable, name: str) -> bool | None:
    """Whether pace was kept; None where no figure tells."""
    if _why_ended(table, name):
        return False
    missed = table.value(name, "", "read.miss.ratio")
    return None if missed is None else missed <= _MOST_MISSED


def _reached(tables: Mapping[str, CellTable], name: str) -> tuple[int, int] | None:
    """Variants of the processor and of memory down to which pace was kept; None where a figure is
    missing that decides.
    """
    processor = _kept_down_to(tables, name, _PROCESSOR)
    memory = _kept_down_to(tables, name, _MEMORY)
    return None if processor is None or memory is None else (processor, memory)


def _kept_down_to(
    tables: Mapping[str, CellTable], name: str, variants: Sequence[str]
) -> int | None:
    """Count the variants in which pace was kept before the first in which it was not, the whole
    machine included.
    """
    for number, variant in enumerate((_WHOLE, *variants)):
        kept = _kept(tables[variant], name) if variant in tables else None
        if kept is None:
            return None
        if not kept:
            return number
    return 1 + len(variants)


def _leaders(reached: Mapping[str, tuple[int, int]]) -> list[str]:
    """The clients whom nobody is ahead of in either; none where no one is so in both."""
    if not reached:
        return []
    most = tuple(max(own) for own in zip(*reached.values(), strict=True))
    return [name for name, own in reached.items() if own == most]


def _told(context: Context, tables: Mapping[str, CellTable], reached: tuple[int, int]) -> str:
    _ = context.words.gettext
    if 0 in reached:
        return _("not even with the whole machine")
    least = [
        (_WHOLE, *variants)[down - 1]
        for variants, down in zip((_PROCESSOR, _MEMORY), reached, strict=True)
    ]
    return ", ".join(dict.fromkeys(_title(context, tables[variant]) for variant in least))


# -------------------------------------------------------------------------------- the table


def _sheet(context: Context, tables: Mapping[str, CellTable]) -> Block:
    """Contenders down with their figures, what they were given across."""
    _ = context.words.gettext
    groups = []
    for name in _names(context, tables):
        rows = [Row(Head(_("keeps pace")), tuple(_pace(t, name) for t in tables.values()))]
        rows += [
            Row(
                Head(_(title)),
                tuple(table.shown(name, "", FigureColumn(metric)) for table in tables.values()),
            )
            for metric, title in _FIGURES.items()
        ]
        groups.append(RowGroup(tuple(rows), Head(context.name(name))))
    titles = [_title(context, table) for table in tables.values()]
    return steps.sheet(context, _("S7 with little of a machine"), titles, groups)


def _title(context: Context, table: CellTable) -> str:
    return table.scenario.variants[table.variant].title.of(context.language)


def _pace(table: CellTable, name: str) -> Plain:
    _ = table.context.words.gettext
    why = _why_ended(table, name)
    if why:
        lines = (plain(failure_words(why, table.context.words)),)
        return WordsCell(lines, Badge(_("no"), "bad"))
    kept = _kept(table, name)
    if kept is None:
        return Absent(DASH)
    return Badge(_("yes"), "good") if kept else Badge(_("no"), "bad")
