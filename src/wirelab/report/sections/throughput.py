"""What was done in the time that was planned for it."""

from __future__ import annotations

from wirelab.model.result import Verdict
from wirelab.report import remarks
from wirelab.report.by_contender import by_contender
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context, value_of
from wirelab.report.document import Block, Bullets, Paragraph, Section, Text, plain, text
from wirelab.report.loads import period_seconds, target_rate
from wirelab.report.tabulate import FigureColumn
from wirelab.words import numbers

_KEPT = 1.0
"""Rates within 1 % of the schedule are on target: the bound of the rate-missed gate."""


def throughput(context: Context, comparison: CellTable) -> Section:
    """Rate of every operation against its target, with misses and errors."""
    _ = context.words.gettext
    columns: list[FigureColumn] = []
    targets = []
    for name, operation in comparison.operations.items():
        target = target_rate(comparison.scenario, name)
        columns += [
            FigureColumn(f"{name}.rate"),
            FigureColumn(f"{name}.attainment"),
            FigureColumn(f"{name}.miss.count"),
            FigureColumn(f"{name}.error.count"),
        ]
        targets.append(
            _("{op} {rate} {item}/s ({items} × {hertz} Hz)").format(
                op=name,
                rate=f"{target:,.6g}",
                item=operation.item,
                items=f"{operation.items:,}",
                hertz=f"{1 / period_seconds(comparison.scenario, name):g}",
            )
        )
    blocks: list[Block | Section] = []
    if comparison.scenario.is_scheduled:
        blocks.append(Paragraph(text(_("Target: {targets}."), targets="; ".join(targets))))
    closed = not comparison.scenario.is_scheduled
    caption = _("Throughput") if closed else _("Throughput against target")
    blocks.append(by_contender(context, comparison, caption, columns))
    if said := _remarks(context, comparison):
        blocks.append(Bullets(said))
    return Section(_("Throughput"), "throughput", tuple(blocks))


def _remarks(context: Context, comparison: CellTable) -> tuple[Text, ...]:
    _ = context.words.gettext
    if not comparison.scenario.is_scheduled:
        ranked = (remarks.lead(context, comparison, f"{op}.rate") for op in comparison.operations)
        return remarks.all_of(*ranked)
    said: list[Text] = []
    behind = _behind(context, comparison)
    if behind:
        said.append(text(_("Behind the schedule: {cells}."), cells="; ".join(behind)))
    elif any(cell.verdict is not Verdict.INVALID for cell in comparison.cells):
        said.append(
            plain(
                _(
                    "Every contender with usable figures kept the schedule (within 1 %): in this "
                    "they are equal."
                )
            )
        )
    said.append(
        plain(
            _(
                'The schedule sets the rate. 100 % means "kept up"; more is not possible, and it '
                "says nothing about the largest rate a library could reach. Rates are over the "
                "whole scheduled window."
            )
        )
    )
    return tuple(said)


def _behind(context: Context, comparison: CellTable) -> list[str]:
    found = []
    for cell in comparison.ranked:
        for name in comparison.operations:
            share = value_of(cell, f"{name}.attainment")
            if share is not None and share < 100 - _KEPT:
                percent = numbers.brief(share, digits=3)
                found.append(f"{context.name(cell.contender)} {name} {percent} %")
    return found
