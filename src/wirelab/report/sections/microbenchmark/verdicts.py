"""Verdicts of microbenchmarks: a cell a step, with the gates that spoke."""

from __future__ import annotations

from wirelab.model.result import Cell, Verdict
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Column,
    Head,
    Row,
    RowGroup,
    Table,
    TableCell,
    WordsCell,
    plain,
)
from wirelab.report.microbenchmark import titled
from wirelab.report.tabulate import DASH, verdict_badge


def verdicts(context: Context, found: CellTable) -> Table:
    """Contenders down, steps across: the verdict of each cell, with the gates that spoke."""
    _ = context.words.gettext
    parts = ["", *found.steps]
    rows = tuple(
        Row(
            Head(titled(context, name)),
            tuple(_verdict(context, found, name, step) for step in parts),
        )
        for name in found.contenders
    )
    columns = [Column(_("whole process"), align="left")]
    columns += [Column(step, align="left") for step in found.steps]
    caption = _("Verdicts: {scenario}").format(scenario=found.scenario.title.of(context.language))
    return Table(caption, (_("contender"),), tuple(columns), (RowGroup(rows),))


def _verdict(context: Context, found: CellTable, name: str, step: str) -> TableCell:
    """A badge, and the gates that did not speak of the whole process already."""
    own = found.cell(name, step)
    if own is None:
        return Absent(DASH)
    said = _gates(found.cell(name, "")) if step else []
    lines = tuple(plain(gate) for gate in _gates(own) if gate not in said)
    return WordsCell(lines, verdict_badge(own.verdict, context.words))


def _gates(found: Cell | None) -> list[str]:
    spoken = (f.gate for f in found.findings if f.verdict is not Verdict.VALID) if found else ()
    return list(dict.fromkeys(spoken))
