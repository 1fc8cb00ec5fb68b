"""Spikes: what went on while the slowest operations were under way, beside all of them."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.model.result import Cell, Verdict
from wirelab.model.spikes import Coinciding, SpikeCause, Spikes
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Block,
    Bullets,
    Column,
    Figure,
    Head,
    Paragraph,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    Text,
    WordsCell,
    plain,
    text,
)
from wirelab.report.tabulate import DASH, contender_head
from wirelab.words import numbers
from wirelab.words.translation import N_

CAUSES: Mapping[SpikeCause, str] = {
    SpikeCause.COLLECTION: N_("a collection"),
    SpikeCause.COMPILATION: N_("a compilation"),
    SpikeCause.HOST: N_("a disturbed host"),
    SpikeCause.WIRE: N_("long on the wire"),
}


def spikes(context: Context, comparison: CellTable, *, always: bool = False) -> list[Section]:
    """Section of the slowest operations; none where no cell has enough of them, unless a report is
    to say so ``always``.
    """
    _ = context.words.gettext
    title = _("Spikes of latency, and what went on meanwhile")
    names = [
        name
        for name in comparison.operations
        if any(name in cell.spikes for cell in comparison.cells)
    ]
    if not names:
        if not always:
            return []
        few = _("No operation was recorded often enough in this run: a longer profile has more.")
        return [Section(title, "spikes", (Paragraph(plain(few)),))]
    blocks: list[Block | Section] = [
        Paragraph(
            plain(
                _(
                    "What went on while the slowest hundredth of the operations was under way (10 "
                    "at least, 100 at most), and with how many of all operations the same "
                    "coincided: what is no oftener with the slowest explains nothing. Something "
                    "stands out where chance alone would bring so many together less than once in "
                    "a hundred times. Operations in disturbed time count here, unlike in figures. "
                    "The time on the wire, with the server's, is long beyond its p95. A dash: "
                    "nobody recorded it; a program in C or Rust has no collector."
                )
            )
        )
    ]
    blocks += [_table(context, comparison, name) for name in names]
    if said := _placed(context, comparison, names):
        blocks.append(Bullets(tuple(said)))
    return [Section(title, "spikes", tuple(blocks))]


def _table(context: Context, comparison: CellTable, name: str) -> Table:
    _ = context.words.gettext
    columns = (
        Column(_("operations")),
        Column(_("mean"), "ms"),
        Column(_("in collections"), "ms"),
        Column(_("on the wire"), "ms"),
        *(Column(_(title), "%") for title in CAUSES.values()),
        Column(_("nothing of it"), "%"),
        Column(_("stands out"), align="left"),
    )
    groups = tuple(
        RowGroup(
            _rows(context, cell, cell.spikes[name]),
            contender_head(context, cell, comparison.label(cell.contender)),
        )
        for cell in comparison.cells
        if name in cell.spikes
    )
    caption = _("{op}: the slowest, and all").format(op=context.words.called(name))
    return Table(caption, (_("contender"), _("figures")), columns, groups)


def _rows(context: Context, cell: Cell, of: Spikes) -> tuple[Row, ...]:
    _ = context.words.gettext
    slowest = _("slowest, from {time} ms").format(time=numbers.brief(of.from_ms))
    causes = [_(CAUSES[cause]) for cause in of.stands_out]
    said = WordsCell((plain(", ".join(causes) or _("nothing")),))
    tentative = cell.verdict is Verdict.INVALID
    return (
        Row(Head(slowest), (*_figures(of.slowest, tentative=tentative), said)),
        Row(Head(_("all")), (*_figures(of.all, tentative=tentative), Absent(DASH))),
    )


def _figures(of: Coinciding, *, tentative: bool) -> tuple[Plain, ...]:
    counts = (*(of.coincided.get(cause) for cause in CAUSES), of.alone)
    shares = [None if n is None else 100 * n / of.operations for n in counts]
    figures = (of.mean_ms, of.collected_ms, of.on_the_wire_ms, *shares)
    return (
        Figure(f"{of.operations:,}", tentative=tentative),
        *(
            Absent(DASH) if one is None else Figure(numbers.brief(one), tentative=tentative)
            for one in figures
        ),
    )


def _placed(context: Context, comparison: CellTable, names: list[str]) -> list[Text]:
    """Remarks on runtimes that say when they were at work less closely than by the clock."""
    _ = context.words.gettext
    found: list[Text] = []
    for cell in comparison.cells:
        own = [cell.spikes[name] for name in names if name in cell.spikes]
        placed = max((ms for one in own for ms in one.placed_ms.values()), default=0.0)
        if placed >= 1:
            found.append(
                text(
                    _(
                        "{name}: its runtime says when it was at work to {time} ms on average, so "
                        "that more coincides by chance, with the slowest and with all."
                    ),
                    name=context.name(cell.contender),
                    time=numbers.brief(placed),
                )
            )
        if untold := max((one.untold for one in own), default=0):
            found.append(
                text(
                    _("{name}: {n} collections or compilations were too many to be told."),
                    name=context.name(cell.contender),
                    n=f"{untold:,}",
                )
            )
    return found
