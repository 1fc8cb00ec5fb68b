"""Limits of the figures."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Block,
    Bullets,
    Column,
    Head,
    Row,
    RowGroup,
    Section,
    Table,
    Text,
    WordsCell,
    cell,
    plain,
    text,
)
from wirelab.report.load import load_text
from wirelab.report.sections.microbenchmark import limits as of_microbenchmark
from wirelab.report.tabulate import DASH, notes_for


def limits(
    context: Context, comparison: CellTable, answers: Mapping[str, str] | None = None
) -> Section:
    """Limits of this run, and the study's limits with what became of them.

    ``answers`` say, by the study's key, how each of its limits stands here.
    """
    _ = context.words.gettext
    blocks: list[Block | Section] = [Bullets(_own(context, comparison))]
    if context.published is not None and context.published.limits:
        blocks.append(_of_study(context, answers or {}))
    return Section(_("Limits and next steps"), "limits", tuple(blocks))


def _own(context: Context, comparison: CellTable) -> tuple[Text, ...]:
    _, ngettext = context.words.gettext, context.words.ngettext
    trials = comparison.trials
    if comparison.scenario.is_microbenchmark:
        return of_microbenchmark.limits(context, trials)
    said = [
        text(
            ngettext(
                "**One machine, {n} included trial a cell** ({profile} profile). Intervals cover "
                "the variation between and within these trials, not that between machines.",
                "**One machine, {n} included trials a cell** ({profile} profile). Intervals cover "
                "the variation between and within these trials, not that between machines.",
                trials,
            ),
            n=trials,
            profile=context.result.profile,
        ),
        text(
            _(
                "**Loopback**: client and server share a host. There is no network delay and no "
                "loss, and they compete for its processors."
            )
        ),
    ]
    return (*said, *load_text(context, comparison.scenario).limits())


def _of_study(context: Context, answers: Mapping[str, str]) -> Table:
    _ = context.words.gettext
    published = context.published
    rows = []
    for item in published.limits if published else []:
        answer = answers.get(item.key)
        marks = published.marks(f"limits.{item.key}", "") if published else ()
        theirs = WordsCell((plain(item.value.of(context.language)),), marks=marks)
        rows.append(
            Row(
                Head(item.label.of(context.language)),
                (theirs, cell(answer) if answer else Absent(DASH)),
            )
        )
    columns = (Column(_("published"), align="left"), Column(_("here"), align="left"))
    groups = (RowGroup(tuple(rows)),)
    return Table(
        _("Limits the study names, and how they stand here"),
        (_("limit"),),
        columns,
        groups,
        notes_for(context, groups),
    )
