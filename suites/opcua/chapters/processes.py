"""Sessions that are each in a process of their own, beside as many of one process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wirelab.report.api import (
    N_,
    Absent,
    Block,
    CellTable,
    Context,
    FigureColumn,
    Head,
    Row,
    RowGroup,
    TableCell,
    paragraph,
    stepped,
    steps,
)

_APART, _TOGETHER = "processes", "sessions"
_VARIANTS = {"one": "s1", "ten": "s10", "fifty": "s50", "two-hundred": "s200"}
"""By variant: the step of as many sessions of one process."""

_FIGURES = {
    "read.response.p50": N_("response of reads, p50, ms"),
    "read.response.p95": N_("response of reads, p95, ms"),
    "cpu.mean": N_("CPU of the client, %"),
    "rss.max": N_("memory of the client (RSS max), MB"),
}
_STARTUP = "startup.time"


def most_measured(context: Context) -> int:
    """The most processes that were measured at a time; 0 where none was."""
    return max(
        (int(_VARIANTS[variant].removeprefix("s")) for variant in _tables(context)), default=0
    )


def blocks(context: Context) -> list[Block]:
    """The blocks on sessions in processes of their own; none where the scenario was not run."""
    tables = _tables(context)
    if not tables:
        return []
    _ = context.words.gettext
    said = _(
        "The same reads by as many processes, each with one session: 100 tags a second in each, at "
        "times spread as those of one process are. Processor time and memory are those of all "
        "processes together; RSS counts what they share once for each of them. Processes start "
        "one after the other, and the start is the mean of all."
    )
    blocks = [paragraph(said), _sheet(context, tables)]
    if any(context.participant(name).barred_variants.get(_APART) for name in context.contenders):
        why = _(
            "Unavailable are processes that do not fit into the memory of this machine: what they "
            "need, and how many would fit, is said where the versions are."
        )
        blocks.append(paragraph(why))
    return blocks


def _tables(context: Context) -> dict[str, CellTable]:
    found = {variant: CellTable.of(context, _APART, variant=variant) for variant in _VARIANTS}
    return {variant: table for variant, table in found.items() if table}


def _sheet(context: Context, tables: Mapping[str, CellTable]) -> Block:
    """Contenders down with their figures, processes across."""
    _ = context.words.gettext
    here = {name for table in tables.values() for name in table.contenders}
    together = stepped(context, _TOGETHER)
    groups = [
        RowGroup(tuple(_rows(context, tables, together, name)), Head(context.name(name)))
        for name in context.contenders
        if name in here
    ]
    titles = [
        table.scenario.variants[variant].title.of(context.language)
        for variant, table in tables.items()
    ]
    return steps.sheet(context, _("Sessions in processes of their own"), titles, groups)


def _rows(
    context: Context, tables: Mapping[str, CellTable], together: CellTable, name: str
) -> Iterator[Row]:
    _ = context.words.gettext
    beside = name in together.contenders
    for metric, title in _FIGURES.items():
        column = FigureColumn(metric)
        yield Row(Head(_(title)), _shown(context, tables, name, column))
        if beside:
            steps_of = (_VARIANTS[variant] for variant in tables)
            cells = tuple(together.shown(name, step, column) for step in steps_of)
            yield Row(Head(_("{figure}; of one process").format(figure=_(title))), cells)
    started = _shown(context, tables, name, FigureColumn(_STARTUP))
    yield Row(Head(_("start until ready, ms")), started)


def _shown(
    context: Context, tables: Mapping[str, CellTable], name: str, column: FigureColumn
) -> tuple[TableCell, ...]:
    """A figure of each variant; of one that the memory does not suffice for, that word."""
    missing = context.participant(name).barred_variants.get(_APART, {})
    word = Absent(context.words.gettext("unavailable"))
    return tuple(
        word if variant in missing else table.shown(name, "", column)
        for variant, table in tables.items()
    )
