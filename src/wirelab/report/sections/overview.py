"""The first screen: what was compared, the verdicts, and what they mean."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.model.result import Cell, Verdict
from wirelab.report import charts, figures, metrics, remarks
from wirelab.report.context import Comparison, Context, value_of
from wirelab.report.document import (
    Absent,
    Block,
    Bullets,
    Callout,
    Column,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Table,
    TableCell,
    Text,
    Words,
    plain,
    text,
)
from wirelab.report.sections.validity import reasons, spoken
from wirelab.report.sections.versions import unavailable
from wirelab.report.tabulate import DASH, FigureColumn, measured, unit_of, verdict_badge


def overview(
    context: Context,
    comparison: Comparison,
    chosen: Sequence[str] = (),
    conclusions: Sequence[Text] = (),
) -> tuple[Block, ...]:
    """Verdict table of ``chosen`` metrics, what follows from it, and a chart of both."""
    names = list(chosen) or key_metrics(comparison)
    blocks: list[Block] = [*_state(context), _lede(context, comparison)]
    blocks.append(_verdicts(context, comparison, names))
    blocks.append(_meaning(context, comparison, names, conclusions))
    blocks += unavailable(context)
    if chart := charts.at_a_glance(context, comparison):
        blocks.append(chart)
    return tuple(blocks)


def key_metrics(comparison: Comparison) -> list[str]:
    """Median and p95 of the first operation, p95 of the others, drift, misses, CPU, memory.

    Where nobody has samples enough for a p95, the median stands for it.
    """
    first, *others = comparison.operations
    names = [f"{first}.latency.p50", f"{first}.latency.p95"]
    for other in others:
        tail = f"{other}.latency.p95"
        known = any(value_of(cell, tail) is not None for cell in comparison.cells)
        names.append(tail if known else f"{other}.latency.p50")
    return [*names, "tick.drift.p95", f"{first}.miss.count", "cpu.mean", "rss.max"]


def _state(context: Context) -> list[Block]:
    """What a reader has to know before any figure: an unfinished run, a smoke run."""
    _ = context.words.gettext
    blocks: list[Block] = []
    if not context.result.complete:
        blocks.append(
            Callout(
                "warn",
                _("The run is not complete"),
                (
                    Paragraph(
                        text(
                            _(
                                "Trials of the plan are missing. What has finished is shown; "
                                "`wl run --resume` finishes the rest."
                            )
                        )
                    ),
                ),
            )
        )
    if context.result.profile == "smoke":
        blocks.append(
            Callout(
                "warn",
                _("A smoke run"),
                (
                    Paragraph(
                        plain(
                            _(
                                "It shows that everything works. It is too short to compare: use "
                                "the quick or publish profile for that."
                            )
                        )
                    ),
                ),
            )
        )
    return blocks


def _lede(context: Context, comparison: Comparison) -> Paragraph:
    _ = context.words.gettext
    names = ", ".join(context.name(c.contender) for c in comparison.cells)
    operations = "; ".join(
        _("{operation} of {items} every {period}").format(
            operation=name,
            items=context.items(operation),
            period=figures.duration(comparison.period_seconds(name) * 1e9),
        )
        for name, operation in comparison.operations.items()
    )
    return Paragraph(
        text(
            _("Compared: **{names}**. Scenario {scenario}: {operations}."),
            names=names,
            scenario=comparison.scenario.title.of(context.language),
            operations=operations,
        )
    )


def _verdicts(context: Context, comparison: Comparison, names: Sequence[str]) -> Table:
    _ = context.words.gettext
    known = [n for n in names if any(n in c.metrics for c in comparison.cells)]
    columns = [Column(_("verdict"), align="left")]
    columns += [
        Column(
            metrics.short_title(name, context.words),
            unit_of(comparison.cells, FigureColumn(name)),
        )
        for name in known
    ]
    rows = [_row(context, found, known) for found in comparison.cells]
    return Table(
        _("Verdicts and key figures, measured here"),
        (_("contender"),),
        tuple(columns),
        (RowGroup(tuple(rows)),),
    )


def _row(context: Context, found: Cell, names: Sequence[str]) -> Row:
    why = reasons(context, found)
    verdict = Words((plain(why),) if why else (), verdict_badge(found.verdict, context.words))
    cells: list[TableCell] = [verdict]
    for name in names:
        # The first screen prints results only: figures of invalid cells stand further down.
        invalid = found.verdict is Verdict.INVALID
        column = FigureColumn(name)
        cells.append(Absent(DASH) if invalid else measured(context, found, column, star=True))
    head = Head(context.name(found.contender), None, context.colour(found.contender))
    return Row(head, tuple(cells))


def _meaning(
    context: Context, comparison: Comparison, names: Sequence[str], conclusions: Sequence[Text]
) -> Callout:
    _ = context.words.gettext
    said = remarks.all_of(*(remarks.lead(context, comparison, name) for name in names))
    lines = [*said, *conclusions]
    if invalid := [c for c in comparison.cells if c.verdict is Verdict.INVALID]:
        lines.append(
            text(
                _("Not ranked, because the checks found them **invalid**: {names}."),
                names=_with_reasons(context, invalid),
            )
        )
    if warned := [c for c in comparison.cells if c.verdict is Verdict.WARN and spoken(c)]:
        lines.append(text(_("To bear in mind: {names}."), names=_with_reasons(context, warned)))
    if not said:
        lines.insert(
            0, plain(_("Nothing could be ranked: that takes two contenders with valid figures."))
        )
    return Callout("neutral", _("What it means"), (Bullets(tuple(lines)),))


def _with_reasons(context: Context, cells: Sequence[Cell]) -> str:
    return "; ".join(f"{context.name(c.contender)} ({reasons(context, c)})" for c in cells)
