"""All servers side by side (3.3.1 of the study)."""

from __future__ import annotations

from wirelab.report.api import (
    Block,
    Bullets,
    CellTable,
    Context,
    Details,
    FigureColumn,
    Section,
    Text,
    chart_by_step,
    paragraph,
    plain,
    remarks,
    steps,
)

from .servers import groups

_OPEN = ("rtt.response.p95", "delivery.response.p99", "delivery.loss.ratio", "delivery.per.cpu")
_FOLDED = (
    "rtt.response.mean",
    "rtt.response.p50",
    "rtt.response.p99",
    "rtt.response.max",
    "delivery.response.p50",
    "delivery.response.p95",
    "delivery.rate",
    "cpu.mean",
    "cpu.max",
    "total.cpu.mean",
    "rss.max",
    "total.rss.max",
    "delivery.traffic",
    "delivery.traffic.max",
    "connect.latency.p95",
)
_PUBLISHED_AS = {f"rtt.response.{s}": f"rtt.latency.{s}" for s in ("mean", "p95", "p99", "max")}
_DRAWN = ("rtt.response.p95", "delivery.response.p99", "cpu.mean")


def compared(context: Context, parts: CellTable) -> Section:
    """Charts and tables by step with ranks, and what follows from the highest step."""
    _ = context.words.gettext
    blocks: list[Block | Section] = [
        paragraph(
            _(
                "★ and #1 mark the best of a step; = means that the rank is shared, because "
                "the figures are not told apart. Invalid cells and the yardstick take "
                "no part. Figures of the study are of its whole run, so they stand under all "
                "steps."
            )
        )
    ]
    drawn = groups(context, parts)
    for metric in _DRAWN:
        caption = plain(
            _(
                "One line a server, with the 95 % interval at each step. Panels share their "
                "scale; invalid cells are not drawn."
            )
        )
        heading = context.naming.title(metric)
        if chart := chart_by_step(parts, heading, caption, metric, drawn):
            blocks.append(chart)
    blocks += [_table(context, parts, metric) for metric in _OPEN]
    if said := _leads(context, parts):
        blocks.append(Bullets(said))
    folded = tuple(_table(context, parts, metric) for metric in _known(parts))
    blocks.append(Details(_("All further figures by step"), folded))
    return Section(_("Comparison of the figures"), "figures", tuple(blocks))


def _known(parts: CellTable) -> list[str]:
    return [
        metric
        for metric in _FOLDED
        if any(metric in cell.metrics for part in parts.columns for cell in part.cells)
    ]


def _table(context: Context, parts: CellTable, metric: str) -> Block:
    column = FigureColumn(metric, published=_PUBLISHED_AS.get(metric, ""))
    return steps.across(parts, context.naming.title(metric), column)


def _leads(context: Context, parts: CellTable) -> tuple[Text, ...]:
    """Name the leaders in the highest step."""
    _ = context.words.gettext
    leads = remarks.all_of(*(remarks.lead(context, parts.top, metric) for metric in _OPEN))
    if not leads:
        return ()
    opening = plain(_("At {step}:").format(step=parts.top.title))
    return (opening, *leads)
