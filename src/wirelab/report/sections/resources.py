"""Resources of the measured process: CPU, memory, heap, garbage collection."""

from __future__ import annotations

from wirelab.gates import heap_kind
from wirelab.report import remarks
from wirelab.report.by_contender import by_contender
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import Block, Bullets, Paragraph, Section, Text, plain, text
from wirelab.report.tabulate import FigureColumn

_COLUMNS = (
    "cpu.mean",
    "cpu.p95",
    "rss.start",
    "rss.max",
    "rss.growth",
    "heap.max",
    "gc.pause.total",
)
_SCHEDULING = (
    "scheduler.delay",
    "switches.voluntary.rate",
    "switches.involuntary.rate",
    "heap.allocated.rate",
    "gc.count",
)


def resources(context: Context, comparison: CellTable) -> Section:
    """Use of the whole process tree, measured from outside, over the measured window."""
    from wirelab.report import charts

    _ = context.words.gettext
    blocks: list[Block | Section] = [
        Paragraph(
            plain(
                _(
                    "CPU and memory are read from outside ten times a second over the whole "
                    "process tree; 100 % CPU is one core. Heap and collector pauses are what the "
                    "runtime itself says: runtimes count them differently, so they are not ranked. "
                    "Pauses are the mean of the trials' totals."
                )
            )
        ),
        by_contender(
            context,
            comparison,
            _("Resource usage of the measured role"),
            [FigureColumn(metric) for metric in _COLUMNS],
        ),
    ]
    blocks += charts.by_mode(charts.resources_over_time, context, comparison)
    said = [
        *remarks.leads(context, comparison, "cpu.mean", "rss.max"),
        *_heap_kinds(context, comparison),
    ]
    if said:
        blocks.append(Bullets(tuple(said)))
    scenario = comparison.scenario
    others = [f"{role}.cpu.mean" for role in scenario.roles if role != scenario.subject_role]
    around = [*_SCHEDULING, *others, "core.cpu.mean"]
    known = [m for m in around if any(m in cell.metrics for cell in comparison.cells)]
    if known:
        blocks.append(
            by_contender(
                context,
                comparison,
                _("Scheduling, and what ran around the measured role"),
                [FigureColumn(metric) for metric in known],
            )
        )
    return Section(_("Resource usage"), "resources", tuple(blocks))


def _heap_kinds(context: Context, comparison: CellTable) -> list[Text]:
    """Meaning of the heap figure of each runtime."""
    _ = context.words.gettext
    return [
        text(
            _("Heap of {name}: {kind}."),
            name=context.name(cell.contender),
            kind=", ".join(heap_kind.GATE.in_words(finding, cell.id, context.words)),
        )
        for cell in comparison.cells
        for finding in cell.findings
        if finding.gate == heap_kind.GATE.code
    ]
