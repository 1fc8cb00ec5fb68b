"""Exactness of the ticks."""

from __future__ import annotations

from wirelab.report import remarks
from wirelab.report.by_contender import JudgedColumn, by_contender, judged_by
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context, usable_value
from wirelab.report.document import Block, Bullets, Paragraph, Section, Text, plain, text
from wirelab.report.tabulate import (
    FigureColumn,
    pass_badge,
)
from wirelab.words import numbers
from wirelab.words.series import series


def scheduler(context: Context, comparison: CellTable) -> Section:
    """Drift of the ticks against its target."""
    from wirelab.report import charts

    _ = context.words.gettext
    target = comparison.scenario.drift_target
    blocks: list[Block | Section] = [
        Paragraph(
            plain(
                _(
                    "Drift is the actual start of an operation minus its intended time; positive "
                    "is late. It tells of the timer and of what kept the process from running: "
                    "an event loop busy with the last answer, a pause of the collector, a "
                    "processor taken away."
                )
            )
        )
    ]
    columns = [FigureColumn(f"tick.drift.{stat}") for stat in ("mean", "p95", "max")]
    if target is not None:
        shown = numbers.duration(target)
        blocks.append(Paragraph(text(_("Target: drift p95 below {target}."), target=shown)))
        columns.append(
            FigureColumn(
                "tick.drift.p95",
                _("p95 / {target}").format(target=shown),
                "%",
                1e8 / target,
                published="tick.drift.p95.share",
            )
        )
    judged = _judged(context, target) if target is not None else None
    blocks.append(by_contender(context, comparison, _("Tick drift"), columns, judged))
    blocks += charts.by_mode(charts.drift_distribution, context, comparison)
    said = [
        *remarks.all_of(_against_target(context, comparison)),
        *remarks.leads(context, comparison, "tick.drift.p95"),
    ]
    if said:
        blocks.append(Bullets(tuple(said)))
    return Section(_("Scheduler accuracy (tick drift)"), "scheduler", tuple(blocks))


def _judged(context: Context, target: int) -> JudgedColumn:
    title = context.words.gettext("verdict")
    return judged_by(
        context,
        "tick-drift",
        title,
        lambda cell: pass_badge(context, usable_value(cell, "tick.drift.p95"), target / 1e6),
    )


def _against_target(context: Context, comparison: CellTable) -> Text | None:
    _ = context.words.gettext
    target = comparison.scenario.drift_target
    known = {
        context.name(cell.contender): value
        for cell in comparison.ranked
        if (value := usable_value(cell, "tick.drift.p95")) is not None
    }
    if target is None or not known:
        return None
    missed = [name for name, value in known.items() if value * 1e6 >= target]
    if missed:
        return (
            text(_("Over the target: **{names}**. The others keep it."), names=series(missed))
            if len(missed) < len(known)
            else text(_("Over the target: **{names}**."), names=series(missed))
        )
    return text(
        _("All keep the target: {names}."),
        names=series(known),
    )
