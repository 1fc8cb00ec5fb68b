"""Every figure with the value of each trial it was made from, and where its files are."""

from __future__ import annotations

from wirelab.metrics.units import precision_of
from wirelab.model.result import Cell, Metric
from wirelab.report import figures
from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Block,
    Bullets,
    Column,
    Details,
    Figure,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    cell,
    text,
)
from wirelab.report.microbenchmark import scenarios
from wirelab.report.sections.microbenchmark import traces
from wirelab.report.sections.validity import place_of
from wirelab.report.tabulate import DASH, why_absent
from wirelab.words import numbers


def traceability(context: Context) -> Section:
    """For each cell: all metrics, their samples, and the value of every counted trial."""
    _ = context.words.gettext
    blocks: list[Block | Section] = [
        Paragraph(
            text(
                _(
                    "Each column of a trial names a folder below `trials/` of this run. It holds "
                    "the samples (`*.parquet`), what the monitor saw (`monitor.parquet`), every "
                    "event, standard error and the record of the trial; `./wl analyse` computes "
                    "every figure again from them."
                )
            )
        )
    ]
    for found in context.result.cells:
        repeated = context.result.scenarios[found.scenario].is_microbenchmark
        if (found.metrics or found.trials) and not repeated:
            blocks.append(_of_cell(context, found))
    blocks += [block for one in scenarios(context) for block in traces.traces(context, one)]
    return Section(_("Where every figure comes from"), "traceability", tuple(blocks))


def _of_cell(context: Context, found: Cell) -> Details:
    title = f"{context.result.scenarios[found.scenario].title.of(context.language)} — "
    title += place_of(context, found)
    return Details(title, (_trials(found), _table(context, found)))


def _trials(found: Cell) -> Bullets:
    return Bullets(
        tuple(
            text("{number}: `trials/{trial}/`", number=f"T{at}", trial=trial)
            for at, trial in enumerate(found.trials, start=1)
        )
    )


def _table(context: Context, found: Cell) -> Table:
    _ = context.words.gettext
    columns = [Column(_("value")), Column(_("unit"), align="left"), Column("n")]
    columns.append(Column(_("effective n")))
    columns += [Column(f"T{at}") for at in range(1, len(found.trials) + 1)]
    rows = [
        _row(context, name, metric, len(found.trials)) for name, metric in found.metrics.items()
    ]
    return Table(
        _("All metrics of {cell}").format(cell=found.id),
        (_("metric"),),
        tuple(columns),
        (RowGroup(tuple(rows)),),
    )


def _row(context: Context, name: str, metric: Metric, trials: int) -> Row:
    value: TableCell = (
        Absent(why_absent(metric.unsupported, context.words))
        if metric.value is None
        else figures.figure(metric)
    )
    own = [*metric.per_trial, *[None] * (trials - len(metric.per_trial))]
    counts = (_count(metric.n), _count(metric.effective_n))
    cells: list[TableCell] = [value, cell(metric.unit), *counts]
    cells += [_value(metric, trial) for trial in own]
    return Row(Head(name), tuple(cells))


def _count(count: float | None) -> TableCell:
    return Absent(DASH) if count is None else Figure(f"{count:,.0f}")


def _value(metric: Metric, value: float | None) -> TableCell:
    if value is None:
        return Absent(DASH)
    places = numbers.places_of(value, metric.interval, precision_of(metric.unit))
    return Figure(numbers.number(value, places))
