"""Microbenchmarks as a report looks at them: compared within a language and a mode alone.

Yardsticks (copying bytes, folding a value) belong to a language and stand beside its tables.
"""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.model.loops import Loops
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import Column, Head, Row, RowGroup, Table
from wirelab.report.loads import measure_of
from wirelab.report.tabulate import FigureColumn, unit_of


def scenarios(context: Context) -> list[CellTable]:
    """Every microbenchmark that was run."""
    names = [name for name, model in context.result.scenarios.items() if model.is_microbenchmark]
    return [found for name in names if (found := CellTable.of(context, name)).steps]


def loops_of(found: CellTable) -> Loops:
    """The loops that this run asked for."""
    measure = measure_of(found.context, found.scenario) if found else None
    return (measure.loops if measure else None) or Loops()


def by_operation(found: CellTable, contenders: Sequence[str], caption: str) -> Table | None:
    """Operations of contenders down, steps across; for yardsticks. None without any figure."""
    context = found.context
    rows = []
    for name in contenders:
        known = _times(found, name)
        for metric in [f"{op}.time" for op in found.scenario.operations if f"{op}.time" in known]:
            cells = found.shown_along(name, FigureColumn(metric))
            operation = context.words.gettext(metric.removesuffix(".time"))
            label = f"{context.name(name)} · {operation}"
            rows.append(Row(Head(label), cells))
    if not rows:
        return None
    titles = tuple(Column(step, "ns") for step in found.steps)
    stub = (context.words.gettext("contender"),)
    return Table(caption, stub, titles, (RowGroup(tuple(rows)),))


def _times(found: CellTable, contender: str) -> set[str]:
    """Metrics of time that a contender has a value of, in any step."""
    return {
        name
        for cell in found.among([contender]).cells
        if cell.step
        for name, metric in cell.metrics.items()
        if name.endswith(".time") and metric.value is not None
    }


def plain_table(
    found: CellTable, contenders: Sequence[str], caption: str, column: FigureColumn
) -> Table:
    """Contenders down, steps across, without ranks: for figures that are not compared."""
    context = found.context
    rows = tuple(
        Row(Head(titled(context, name)), found.shown_along(name, column)) for name in contenders
    )
    unit = unit_of(found.cells, column)
    titles = tuple(Column(step, unit) for step in found.steps)
    return Table(caption, (context.words.gettext("contender"),), titles, (RowGroup(rows),))


def titled(context: Context, contender: str) -> str:
    """A contender's name with its mode, where contenders of several modes stand together; a title
    that says it already is enough."""
    manifest = context.participant(contender).manifest
    name = context.name(contender)
    said_already = manifest.mode in manifest.title.en.lower()
    return name if said_already else f"{name} · {context.mode_title(manifest.mode)}"
