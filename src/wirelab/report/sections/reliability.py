"""Deadlines missed, and whether the trials agree with each other."""

from __future__ import annotations

from wirelab.model.result import Cell
from wirelab.report import remarks
from wirelab.report.by_contender import by_contender, judged_by
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context, usable_value
from wirelab.report.document import (
    Block,
    Bullets,
    Column,
    Paragraph,
    Row,
    RowGroup,
    Section,
    Table,
    Text,
    cell,
    text,
)
from wirelab.report.tabulate import (
    FigureColumn,
    contender_head,
    pass_badge,
)
from wirelab.words import numbers
from wirelab.words.failures import why_in_words


def misses(context: Context, comparison: CellTable) -> Section | None:
    """Deadlines missed, of how many, and what else failed; None where there is neither."""
    _ = context.words.gettext
    columns = []
    for name, operation in comparison.operations.items():
        if operation.deadline is not None:
            columns += [
                FigureColumn(f"{name}.miss.count"),
                FigureColumn(f"{name}.miss.ratio"),
            ]
    blocks: list[Block | Section] = []
    if columns:
        caption = _("Deadline misses over all included trials")
        blocks.append(by_contender(context, comparison, caption, columns))
    said = remarks.all_of(_none_missed(context, comparison), *_failures(context, comparison))
    if said:
        blocks.append(Bullets(said))
    return Section(_("Deadline misses"), "misses", tuple(blocks)) if blocks else None


def _none_missed(context: Context, comparison: CellTable) -> Text | None:
    """None seen is not none possible: how rare misses must be to have stayed unseen."""
    _ = context.words.gettext
    seen = [
        (name, metric)
        for cell in comparison.ranked
        for name in comparison.operations
        if (metric := cell.usable(f"{name}.miss.ratio")) is not None
    ]
    if not seen or any(metric.value for _name, metric in seen):
        return None
    bounds = {name: _unseen_below(metric.n) for name, metric in seen if metric.n}
    listed = "; ".join(
        f"{context.words.called(name)} < {numbers.brief(bound * 100)} %"
        for name, bound in bounds.items()
    )
    return text(
        _("No deadline was missed. That bounds the true ratio (95 %): {bounds}."), bounds=listed
    )


def _unseen_below(n: int) -> float:
    """Largest ratio that leaves n independent tries without a hit in 5 % of all cases."""
    return float(1 - 0.05 ** (1 / n))


def _failures(context: Context, comparison: CellTable) -> list[Text]:
    """Operations that ended with another status than ok, by name."""
    _ = context.words.gettext
    said = []
    for found in comparison.cells:
        bad = {
            f"{operation} {status}": count
            for operation, statuses in found.statuses.items()
            for status, count in statuses.items()
            if status != "ok" and count
        }
        if bad:
            listed = ", ".join(f"{what} {count:,}" for what, count in bad.items())
            said.append(
                text(
                    _("**{name}** did not succeed in all operations: {statuses}."),
                    name=context.name(found.contender),
                    statuses=listed,
                )
            )
    return said


def repeatability(context: Context, comparison: CellTable) -> Section:
    """Variation between trials, the rerun rule, and the trials in no figure."""
    _ = context.words.gettext
    bounds = comparison.scenario.bounds
    operation = bounds.cv_operation or next(iter(comparison.scenario.operations))
    columns = [FigureColumn(f"{operation}.cv")]
    blocks: list[Block | Section] = [
        Paragraph(
            text(
                _(
                    "cv is the standard deviation of the trials' mean {operation} latencies over "
                    "their mean. At {bound} % or more another trial is run; a cell that stays "
                    "above is invalid. With few trials cv itself is known only roughly: see its "
                    "interval."
                ),
                operation=context.words.called(operation),
                bound=f"{bounds.cv * 100:g}",
            )
        ),
        by_contender(
            context,
            comparison,
            _("Variation between trials"),
            columns,
            judged_by(
                context,
                f"{operation}-cv",
                _("rerun rule (< {bound} %)").format(bound=f"{bounds.cv * 100:g}"),
                lambda c: pass_badge(context, usable_value(c, f"{operation}.cv"), bounds.cv * 100),
            ),
        ),
        _trials_table(context, comparison),
    ]
    if said := remarks.leads(context, comparison, f"{operation}.cv"):
        blocks.append(Bullets(said))
    return Section(_("Stability between trials (cv)"), "repeatability", tuple(blocks))


def _trials_table(context: Context, comparison: CellTable) -> Table:
    _ = context.words.gettext
    rows = tuple(
        _trials_row(context, found, comparison.label(found.contender)) for found in comparison.cells
    )
    columns = (
        Column(_("included")),
        Column(_("reruns")),
        Column(_("in no figure, and why"), align="left"),
    )
    return Table(_("Trials"), (_("contender"),), columns, (RowGroup(rows),))


def _trials_row(context: Context, found: Cell, label: str) -> Row:
    others = "; ".join(
        f"{trial}: {why_in_words(why, context.words)}" for trial, why in found.other_trials.items()
    )
    return Row(
        contender_head(context, found, label),
        (cell(str(len(found.trials))), cell(str(found.reruns)), cell(others or "–")),
    )
