"""Durations of operations: service and response time, against their deadlines."""

from __future__ import annotations

from wirelab.model.parts import Operation
from wirelab.report import remarks
from wirelab.report.by_contender import by_contender
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context, usable_value
from wirelab.report.document import (
    Block,
    Bullets,
    Paragraph,
    Section,
    Text,
    text,
)
from wirelab.report.load import load_text
from wirelab.report.tabulate import FigureColumn
from wirelab.words import numbers

_STATISTICS = ("p50", "p95", "p99", "max")


def latency(context: Context, comparison: CellTable) -> Section:
    """Charts of all operations, then a part with tables for each."""
    from wirelab.report import charts

    _ = context.words.gettext
    blocks: list[Block | Section] = list(explained(context, comparison))
    for draw in (charts.latency_distribution, charts.latency_over_time):
        blocks += charts.by_mode(draw, context, comparison)
    blocks += [
        _of_operation(context, comparison, name, operation)
        for name, operation in comparison.operations.items()
    ]
    return Section(_("Latency"), "latency", tuple(blocks))


def explained(context: Context, comparison: CellTable) -> tuple[Block, ...]:
    """Explain the two times, where a report shows them first."""
    if not context.first("latency"):
        return ()
    return (load_text(context, comparison.scenario).times(),)


def _of_operation(
    context: Context, comparison: CellTable, name: str, operation: Operation
) -> Section:
    _ = context.words.gettext
    blocks: list[Block | Section] = []
    if operation.deadline is not None:
        blocks.append(
            Paragraph(
                text(
                    _("{items} in one call. Deadline: {deadline}. Times in ms."),
                    items=context.items(operation),
                    deadline=numbers.duration(operation.deadline),
                )
            )
        )
    blocks.append(_service_table(context, comparison, name))
    if operation.deadline is not None:
        blocks.append(_deadline_table(context, comparison, name, operation.deadline / 1e6))
    if load_text(context, comparison.scenario).is_due:
        blocks.append(_response_table(context, comparison, name))
    if said := _remarks(context, comparison, name, operation):
        blocks.append(Bullets(said))
    return Section(
        _("{operation} latency").format(operation=_sentence_case(context.words.called(name))),
        f"latency-{name}",
        tuple(blocks),
    )


def _sentence_case(words: str) -> str:
    return words[:1].upper() + words[1:]


def _service_table(context: Context, comparison: CellTable, name: str) -> Block:
    _ = context.words.gettext
    columns = [FigureColumn(f"{name}.latency.{stat}") for stat in _STATISTICS]
    return by_contender(
        context, comparison, _("{op}: service time").format(op=context.words.called(name)), columns
    )


def _response_table(context: Context, comparison: CellTable, name: str) -> Block:
    _ = context.words.gettext
    columns = [FigureColumn(f"{name}.response.{stat}", title=stat) for stat in _STATISTICS]
    caption = _("{op}: response time, from the intended tick").format(op=context.words.called(name))
    return by_contender(context, comparison, caption, columns)


def _deadline_table(
    context: Context, comparison: CellTable, name: str, deadline_ms: float
) -> Block:
    """Table of what the times leave of the deadline."""
    _ = context.words.gettext
    share = 100 / deadline_ms
    columns = [
        FigureColumn(
            f"{name}.latency.p95",
            _("headroom at p95"),
            "ms",
            factor=-1,
            offset=deadline_ms,
            published=f"{name}.latency.p95.headroom",
        ),
        *(
            FigureColumn(
                f"{name}.latency.{stat}",
                _("{stat}, share of deadline").format(stat=_(stat)),
                "%",
                share,
                published=f"{name}.latency.{stat}.share",
            )
            for stat in ("p95", "p99", "max")
        ),
    ]
    caption = _("{op}: share of the {deadline} deadline").format(
        op=context.words.called(name), deadline=numbers.duration(deadline_ms * 1e6)
    )
    return by_contender(context, comparison, caption, columns)


def _remarks(
    context: Context, comparison: CellTable, name: str, operation: Operation
) -> tuple[Text, ...]:
    stats = ("p50", "p95", "p99")
    return (
        *remarks.leads(context, comparison, *(f"{name}.latency.{stat}" for stat in stats)),
        *remarks.all_of(
            _closest(context, comparison, name, operation),
            _late_starts(context, comparison, name),
        ),
    )


def _closest(
    context: Context, comparison: CellTable, name: str, operation: Operation
) -> Text | None:
    """Name the one that comes nearest to the deadline."""
    _ = context.words.gettext
    worst = [
        (value, cell)
        for cell in comparison.ranked
        if (value := usable_value(cell, f"{name}.latency.max")) is not None
    ]
    if operation.deadline is None or not worst:
        return None
    value, cell = max(worst, key=lambda pair: pair[0])
    return text(
        _("Nearest to the deadline: {name}, whose slowest call took {share} % of it."),
        name=context.name(cell.contender),
        share=numbers.brief(value * 1e6 / operation.deadline * 100),
    )


def _late_starts(context: Context, comparison: CellTable, name: str) -> Text | None:
    """The wait before the call that adds to p95: the part service time leaves out."""
    _ = context.words.gettext
    added = [
        (response - service, cell)
        for cell in comparison.ranked
        if (service := usable_value(cell, f"{name}.latency.p95")) is not None
        and (response := usable_value(cell, f"{name}.response.p95")) is not None
    ]
    if not added:
        return None
    most, cell = max(added, key=lambda pair: pair[0])
    return text(
        _("Starting late adds at most {added} ms to the p95 ({name})."),
        added=numbers.brief(max(most, 0.0)),
        name=context.name(cell.contender),
    )
