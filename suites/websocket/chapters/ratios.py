"""Tuned servers beside the untuned one: ratios within blocks, with their intervals."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.report.api import (
    Absent,
    CellTable,
    Column,
    Context,
    Head,
    Plain,
    Row,
    RowGroup,
    Table,
    cell,
    claims,
    ratio,
    ratio_words,
)


def to_untuned(
    table: CellTable, title: str, untuned: str, tuned: Sequence[str], metrics: Sequence[str]
) -> Table:
    """Metrics down, tuned servers across; ``title`` says what was varied, or under which load."""
    context = table.context
    caption = context.words.gettext("{variant}: ratio to {untuned}, with its 95 % interval").format(
        variant=title, untuned=context.name(untuned)
    )
    rows = tuple(
        Row(
            Head(context.naming.title(metric)),
            tuple(_ratio(context, table, metric, name, untuned) for name in tuned),
        )
        for metric in metrics
        if any(metric in one.metrics for one in table.cells)
    )
    columns = tuple(Column(context.name(name)) for name in tuned)
    return Table(caption, (context.words.gettext("metric"),), columns, (RowGroup(rows),))


def _ratio(context: Context, table: CellTable, metric: str, name: str, untuned: str) -> Plain:
    found = [table.cell(one) for one in (name, untuned)]
    for one in found:
        if (why := claims.unusable(context, one, metric)) is not None:
            return Absent(why)
    a, b = (one.metrics[metric] for one in found if one is not None)
    apart = ratio(a, b)
    return (
        Absent(context.words.gettext("no interval")) if apart is None else cell(ratio_words(apart))
    )
