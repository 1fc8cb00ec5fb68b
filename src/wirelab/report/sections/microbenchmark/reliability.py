"""Whether the times of a microbenchmark can be relied on."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.gates import never_settled
from wirelab.model.result import Cell
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Column,
    Figure,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    cell,
    plain,
)
from wirelab.report.microbenchmark import titled
from wirelab.report.tabulate import DASH
from wirelab.words.failures import why_in_words


def reliability(context: Context, found: CellTable) -> Section:
    """Did the processes of a contender agree, were they warm, and what is in no figure?"""
    _ = context.words.gettext
    rows = tuple(
        Row(Head(titled(context, name)), _agreement(found, name)) for name in found.contenders
    )
    columns = (
        Column(_("included processes")),
        Column(_("widest interval"), "±%"),
        Column(_("longest warm-up"), "s"),
        Column(_("not settled")),
        Column(_("outlying batches")),
        Column(_("in no figure, and why"), align="left"),
    )
    table = Table(_("Agreement of the processes"), (_("contender"),), columns, (RowGroup(rows),))
    opening = Paragraph(
        plain(
            _(
                "Every process is a fresh one, and the processes of all contenders take turns in "
                "random order. The widest interval is the largest half-width of any operation and "
                "data, in per cent of its figure. Outlying batches are counted and never left out; "
                "not settled counts the operations whose warm-up ended at its limit."
            )
        )
    )
    return Section(found.scenario.title.of(context.language), "agreement", (opening, table))


def _agreement(found: CellTable, contender: str) -> tuple[TableCell, ...]:
    own = found.among([contender])
    cells, whole = own.cells, found.cell(contender, "")
    others = whole.other_trials if whole else {}
    said = "; ".join(f"{k}: {why_in_words(why, found.context.words)}" for k, why in others.items())
    return (
        cell(str(own.trials)),
        _shown(_widest(cells), "{:.1f}"),
        _shown(_largest(cells, ".warmup"), "{:.2f}"),
        cell(str(_unsettled(cells))),
        _shown(_total(cells, ".outlier.count"), "{:.0f}"),
        cell(said or DASH),
    )


def _shown(value: float | None, form: str) -> TableCell:
    return Absent(DASH) if value is None else Figure(form.format(value))


def _widest(cells: Sequence[Cell]) -> float | None:
    halves = [
        50 * (metric.interval[1] - metric.interval[0]) / metric.value
        for found in cells
        for name, metric in found.metrics.items()
        if name.endswith(".time") and found.step and metric.value and metric.interval
    ]
    return max(halves, default=None)


def _values(cells: Sequence[Cell], ending: str) -> list[float]:
    return [
        metric.value
        for found in cells
        for name, metric in found.metrics.items()
        if name.endswith(ending) and metric.value is not None
    ]


def _largest(cells: Sequence[Cell], ending: str) -> float | None:
    return max(_values(cells, ending), default=None)


def _total(cells: Sequence[Cell], ending: str) -> float | None:
    values = _values(cells, ending)
    return sum(values) if values else None


def _unsettled(cells: Sequence[Cell]) -> int:
    return sum(
        len(never_settled.GATE.read(finding.evidence, found.id).operations)
        for found in cells
        for finding in found.findings
        if finding.gate == never_settled.GATE.code
    )
