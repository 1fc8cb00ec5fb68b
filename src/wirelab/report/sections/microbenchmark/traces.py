"""Figures of microbenchmarks with the value of each process, contender by contender."""

from __future__ import annotations

from wirelab.metrics.units import precision_of
from wirelab.model.result import Metric
from wirelab.report import figures
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Block,
    Bullets,
    Column,
    Details,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Table,
    TableCell,
    Text,
    WordsCell,
    plain,
    text,
)
from wirelab.report.microbenchmark import loops_of, titled
from wirelab.report.tabulate import DASH, why_absent
from wirelab.words import numbers


def traces(context: Context, found: CellTable) -> list[Block]:
    """A folded part for every contender that was timed: its trials, and its times by step."""
    parts: list[Block] = []
    if loops_of(found).count:
        said = context.words.gettext(
            "{scenario}: every batch, with its iterations, time and checksum, is in "
            "`*.batches.jsonl`, every answer in `*.answers.jsonl`. All other metrics are in "
            "`result.json`."
        )
        title = found.scenario.title.of(context.language)
        parts.append(Paragraph(text(said, scenario=title)))
    for name in found.contenders:
        table = _table(context, found, name)
        if table is not None:
            title = f"{found.scenario.title.of(context.language)} — {titled(context, name)}"
            parts.append(Details(title, (_trials(found, name), table)))
    return parts


def _trials(found: CellTable, name: str) -> Bullets:
    longest = max((c.trials for c in found.among([name]).cells), key=len)
    return Bullets(
        tuple(
            text("{number}: `trials/{trial}/`", number=f"T{at}", trial=trial)
            for at, trial in enumerate(longest, start=1)
        )
    )


def _table(context: Context, found: CellTable, name: str) -> Table | None:
    """Operations down, steps across; None without any time."""
    rows = []
    for operation in found.scenario.operations:
        metrics = [
            cell.metrics.get(f"{operation}.time") if (cell := found.cell(name, step)) else None
            for step in found.steps
        ]
        if any(metric is not None and metric.per_trial for metric in metrics):
            cells = tuple(_traced(context, metric) for metric in metrics)
            rows.append(Row(Head(f"{operation}.time"), cells))
    if not rows:
        return None
    columns = tuple(Column(step, "ns") for step in found.steps)
    caption = context.words.gettext("Each figure, and below it that of each process: {name}")
    stub = (context.words.gettext("metric"),)
    return Table(caption.format(name=name), stub, columns, (RowGroup(tuple(rows)),))


def _traced(context: Context, metric: Metric | None) -> TableCell:
    if metric is None:
        return Absent(DASH)
    if metric.value is None:
        return Absent(why_absent(metric.unsupported, context.words))
    figure = figures.figure(metric)
    lines: list[Text] = [
        text("**{number}** {interval}", number=figure.number, interval=figure.interval)
    ]
    if len(metric.per_trial) > 1:
        places = numbers.places_of(metric.value, metric.interval, precision_of(metric.unit))
        own = (DASH if v is None else numbers.number(v, places) for v in metric.per_trial)
        lines.append(plain(" · ".join(own)))
    return WordsCell(tuple(lines))
