"""Conditions of microbenchmarks: loops, processes, and where."""

from __future__ import annotations

from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Block,
    Callout,
    Column,
    Head,
    Paragraph,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    WordsCell,
    cell,
    plain,
    text,
)
from wirelab.report.microbenchmark import loops_of, scenarios
from wirelab.report.sections import host
from wirelab.report.tabulate import DASH, notes_for
from wirelab.words import numbers


def conditions(context: Context) -> Section:
    """Repetitions, processes, and the machine of a run."""
    _ = context.words.gettext
    blocks: list[Block | Section] = [_loops(context), _table(context)]
    if context.published is not None:
        said = text(
            _(
                "Published figures come from another machine, with other library versions and "
                "another harness: {machine}. They stand beside those measured here for "
                "orientation and are never ranked with them."
            ),
            machine=context.published.machine.of(context.language),
        )
        blocks.append(Callout("neutral", _("Another machine"), (Paragraph(said),)))
    blocks.append(host.details(context))
    return Section(_("Conditions and environment"), "conditions", tuple(blocks))


def _loops(context: Context) -> Table:
    """Every scenario with its loops."""
    _ = context.words.gettext
    rows = tuple(
        Row(
            Head(found.scenario.title.of(context.language)),
            (
                cell(_processes(found)),
                cell(str(len(found.steps))),
                cell(loops_words(found)),
            ),
        )
        for found in scenarios(context)
    )
    columns = (
        Column(_("fresh processes a contender")),
        Column(_("data")),
        Column(_("loops of each operation"), align="left"),
    )
    return Table(_("Scenarios of this run"), (_("scenario"),), columns, (RowGroup(rows),))


def _processes(found: CellTable) -> str:
    """Included processes of a contender; from and to where some had more, being run again."""
    fewest = min((len(one.trials) for one in found.cells), default=0)
    return str(found.trials) if fewest == found.trials else f"{fewest}–{found.trials}"


def loops_words(found: CellTable) -> str:
    """Describe how the operations of a scenario were repeated, in a sentence."""
    _, ngettext = found.context.words.gettext, found.context.words.ngettext
    loops = loops_of(found)
    if found.scenario.counts_instructions:
        return _(
            "instructions counted, nothing timed: pairs of processes with {iterations} iterations, "
            "and {more} more in the second"
        ).format(iterations=f"{loops.rounds:,}", more=f"{loops.more:,}")
    if loops.count == 0:
        return _("nothing is timed, only answers are given")
    if loops.rounds:
        said = ngettext(
            "{n} batch of {iterations} iterations, cold: no calibration and no warm-up",
            "{n} batches of {iterations} iterations, the first one cold: "
            "no calibration and no warm-up",
            loops.count,
        )
        return said.format(n=loops.count, iterations=f"{loops.rounds:,}")
    return _(
        "batches: {n}, of about {batch} each; warm-up until three agree within {agree} %, for at "
        "most {warmup}"
    ).format(
        n=loops.count,
        batch=numbers.duration(loops.batch),
        agree=f"{loops.agree * 100:g}",
        warmup=numbers.duration(loops.warmup),
    )


def _table(context: Context) -> Table:
    """The environment, and what the study says of its own."""
    _ = context.words.gettext
    here = {
        "environment": (_("environment"), host.one_line(context)),
        "profile": (_("profile"), context.result.profile),
    }
    items = context.published.conditions if context.published else []
    published = {item.key: item for item in items}
    rows = []
    for key, (label, value) in here.items():
        cells: list[Plain] = [cell(value)]
        if context.published is not None:
            cells.append(_published(context, key) if key in published else Absent(DASH))
        rows.append(Row(Head(label), tuple(cells)))
    rows += [
        Row(Head(item.label.of(context.language)), (Absent(DASH), _published(context, item.key)))
        for item in items
        if item.key not in here
    ]
    columns = [Column(_("measured here"), align="left")]
    if context.published is not None:
        columns.append(Column(_("published"), align="left"))
    groups = (RowGroup(tuple(rows)),)
    notes = notes_for(context, groups)
    return Table(_("Conditions of this run"), (_("condition"),), tuple(columns), groups, notes)


def _published(context: Context, key: str) -> Plain:
    """A condition of the study with the marks of its defects."""
    published = context.published
    if published is None:
        return Absent(DASH)
    item = next(item for item in published.conditions if item.key == key)
    marks = published.marks(f"conditions.{key}", "")
    return WordsCell((plain(item.value.of(context.language)),), marks=marks)
