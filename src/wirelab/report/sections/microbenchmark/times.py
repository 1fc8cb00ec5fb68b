"""Times of microbenchmarks: by language, mode and step."""

from __future__ import annotations

from dataclasses import replace

from wirelab.report import steps
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import (
    Block,
    Head,
    Paragraph,
    RowGroup,
    Section,
    Table,
    plain,
)
from wirelab.report.microbenchmark import by_operation
from wirelab.report.tabulate import FigureColumn


def times(context: Context, found: CellTable) -> Section:
    """A part a language: its ranked times, mode by mode, above its yardsticks."""
    parts = [
        Section(language or context.words.gettext("any language"), f"{found.scenario_name}-{at}", b)
        for at, language in enumerate(found.languages)
        if (b := tuple(of_language(context, found, language)))
    ]
    opening = Paragraph(plain(reading_ranks(context, found)))
    title = found.scenario.title.of(context.language)
    return Section(title, f"batches-{found.scenario_name}", (opening, *parts))


def of_language(context: Context, found: CellTable, language: str) -> list[Block]:
    """The ranked times of a language, mode by mode, and its yardsticks."""
    ranked = [ranking.metric for ranking in found.scenario.rankings]
    blocks: list[Block] = [
        ranked_table(context, group, metric)
        for group in found.peers_of(language)
        for metric in ranked
    ]
    caption = context.words.gettext("Yardsticks of the language")
    if (table := by_operation(found, found.yardsticks(language), caption)) is not None:
        blocks.append(table)
    return blocks


def ranked_table(context: Context, group: CellTable, metric: str) -> Table:
    """One metric of contenders that are ranked together, step by step."""
    title = context.naming.title(metric)
    named = ", ".join(part for part in (title, group.mode_title) if part)
    table = steps.across(group, named, FigureColumn(metric))
    # Names of steps rather than titles, and no language: the columns have to stand side by side.
    # No colours: there are more contenders than a reader tells apart by them.
    names = {group.step_title(step): step for step in group.steps}
    columns = tuple(replace(c, title=names.get(c.title, c.title)) for c in table.columns)
    titles = {context.name(n): context.title(n) for n in group.contenders}
    rows = tuple(
        replace(row, head=Head(titles.get(row.head.label, row.head.label)))
        for shown in table.groups
        for row in shown.rows
    )
    return replace(table, columns=columns, groups=(RowGroup(rows),))


def reading_ranks(context: Context, found: CellTable) -> str:
    """Explain the marks of ranks; one process a contender gives none."""
    _ = context.words.gettext
    if found.trials < 2:
        return _(
            "One process a contender: there is no interval, so nothing tells figures apart and "
            "everybody shares the first rank."
        )
    return _(
        "★ and #1 mark the best of a column; = means that the rank is shared, because the "
        "figures are not told apart. Unlike modes and languages are never ranked together; "
        "invalid cells and yardsticks take no part."
    )
