"""Operations in batches: their times by language, mode and step; whether they can be relied on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wirelab.gates import never_settled
from wirelab.model.result import Cell, Verdict
from wirelab.report import steps
from wirelab.report.batches import by_operation, titled
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Block,
    Column,
    Figure,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    WordsCell,
    cell,
    plain,
)
from wirelab.report.tabulate import DASH, FigureColumn, verdict_badge
from wirelab.words.failures import why_in_words


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
    named = ", ".join(part for part in (title, group.mode) if part)
    table = steps.across(group, named, FigureColumn(metric))
    # Names of steps rather than titles, and no language: the columns have to stand side by side.
    # No colours: there are more contenders than a reader tells apart by them.
    names = {group.step_title(step): step for step in group.steps}
    columns = tuple(replace(c, title=names.get(c.title, c.title)) for c in table.columns)
    titles = {context.name(n): context.participant(n).manifest.title for n in group.contenders}
    rows = tuple(
        replace(row, head=Head(titles.get(row.head.label, row.head.label)))
        for shown in table.groups
        for row in shown.rows
    )
    return replace(table, columns=columns, groups=(RowGroup(rows),))


def reading_ranks(context: Context, found: CellTable) -> str:
    """What the marks of ranks mean; that there are none of one process a contender."""
    _ = context.words.gettext
    if found.trials < 2:
        return _(
            "One process a contender: there is no interval, so nothing tells figures apart and "
            "everybody shares the first rank."
        )
    return _(
        "★ and #1 mark the best of a column; = means that the rank is shared, because the "
        "intervals do not part the figures. Unlike modes and languages are never ranked together; "
        "invalid cells and yardsticks take no part."
    )


# ------------------------------------------------------------------------------ the verdicts


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


# -------------------------------------------------------------------------------- reliability


def reliability(context: Context, found: CellTable) -> Section:
    """Did the processes of a contender agree, were they warm, and what is in no figure?"""
    _ = context.words.gettext
    rows = tuple(
        Row(Head(titled(context, name)), _agreement(found, name)) for name in found.contenders
    )
    columns = (
        Column(_("counted processes")),
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
