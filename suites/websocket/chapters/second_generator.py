"""Two generators on one server: what each receives, reports, and uses (k6 was the study's)."""

from __future__ import annotations

from wirelab.report.api import (
    DASH,
    Absent,
    Block,
    Bullets,
    CellTable,
    Column,
    Command,
    Context,
    Figure,
    FigureColumn,
    Head,
    Metric,
    Row,
    RowGroup,
    Table,
    Text,
    Verdict,
    claims,
    generator_saturated,
    measured,
    paragraph,
    published_cell,
    ratio,
    stepped,
    text,
    times,
    unit_of,
    value_of,
)

_BUSY = 80.0
"""Percent of a core: the bound of the gate ``generator-saturated`` for a generator of one core."""

_BOTH = (
    "delivery.rate",
    "rtt.latency.mean",
    "rtt.latency.p50",
    "rtt.latency.p95",
    "rtt.latency.p99",
    "rtt.latency.max",
    "generator.cpu.mean",
    "generator.rss.max",
    "generator.per.cpu",
)


def second_generators(context: Context, parts: CellTable) -> list[Block]:
    """A table for each generator that carried out the ramp too; how to get one otherwise."""
    _ = context.words.gettext
    names = list(context.result.generators)
    found = {name: other for name in names if (other := stepped(context, "ramp", name))}
    if not found:
        return [
            paragraph(
                _("The study's generator, k6, was not run beside. To see both on one server:")
            ),
            Command("./wl run websocket --scenario ramp --contender node-ws --generator k6"),
        ]
    return [
        block for name, other in found.items() for block in _beside(context, parts, name, other)
    ]


def _beside(context: Context, parts: CellTable, name: str, other: CellTable) -> list[Block]:
    _ = context.words.gettext
    title = context.generator(name)
    groups = [_pair(context, contender, parts, other, name) for contender in other.yardsticks_last]
    rows = [group for of in groups for group in of]
    columns = tuple(
        Column(
            _title(context, metric),
            unit_of((c for p in other.by_step for c in p.cells), FigureColumn(metric)),
        )
        for metric in _BOTH
    )
    table = Table(
        _("One server, two generators: wirelab and {other}").format(other=title),
        (_("server and step"), _("generator")),
        columns,
        tuple(rows),
    )
    said = [
        line for c in other.yardsticks_last for line in _remarks(context, parts, other, c, name)
    ]
    return [table, *([Bullets(tuple(said))] if said else [])]


def _title(context: Context, metric: str) -> str:
    _ = context.words.gettext
    if metric.startswith("rtt.latency."):
        return f"RTT {_(metric.removeprefix('rtt.latency.'))}"
    return {
        "delivery.rate": _("received"),
        "generator.cpu.mean": _("generator CPU"),
        "generator.rss.max": _("generator RSS"),
        "generator.per.cpu": _("received / generator CPU s"),
    }[metric]


def _pair(
    context: Context, contender: str, parts: CellTable, other: CellTable, name: str
) -> list[RowGroup]:
    _ = context.words.gettext
    groups = []
    for part in other.by_step:
        rows = [
            Row(
                Head(label),
                tuple(measured(context, cell, FigureColumn(metric)) for metric in _BOTH),
            )
            for label, side in (("wirelab", parts.at(part.step)), (context.generator(name), part))
            if (cell := side.cell(contender)) is not None
        ]
        head = Head(f"{context.name(contender)}, {part.title}")
        groups.append(RowGroup(tuple(rows), head))
    key = context.key_of(contender)
    if key is not None:
        theirs = tuple(published_cell(context, key, FigureColumn(metric)) for metric in _BOTH)
        if any(isinstance(cell, Figure) for cell in theirs):
            kept = tuple(c if isinstance(c, Figure) else Absent(DASH) for c in theirs)
            row = Row(Head(_("published, whole run")), kept, published=True)
            groups.append(RowGroup((row,), Head(context.name(contender))))
    return groups


def _remarks(
    context: Context, parts: CellTable, other: CellTable, contender: str, name: str
) -> list[Text]:
    """Tell the cost of a message with each, and the step from which the second is at its limit."""
    _ = context.words.gettext
    said: list[Text] = []
    last = other.top
    mine = parts.cell(contender, last.step)
    theirs = last.cell(contender)
    if mine is not None and theirs is not None:
        a, b = (c.metrics.get("generator.per.cpu") for c in (mine, theirs))
        if a is not None and b is not None and (apart := ratio(a, b)) is not None:
            said.append(
                text(
                    _(
                        "At {step} on {server}, wirelab received {a} for a second of its CPU, "
                        "{other} {b}: {ratio}."
                    ),
                    step=last.title,
                    server=context.name(contender),
                    a=claims.shown(a),
                    b=claims.shown(b),
                    other=context.generator(name),
                    ratio=times(context, apart),
                )
            )
    full = next((part for part in other.by_step if _is_full(part, contender)), None)
    if full is not None and (cell := full.cell(contender)) is not None:
        said.append(
            text(
                _(
                    "{other} was at its limit from {step} on (its CPU {cpu}), while the server "
                    "used {server}: the RTT it reports from there is its own."
                ),
                other=context.generator(name),
                step=full.title,
                cpu=_percent(cell.metrics.get("generator.cpu.mean")),
                server=_percent(cell.metrics.get("cpu.mean")),
            )
        )
    return said


def _is_full(part: CellTable, contender: str) -> bool:
    cell = part.cell(contender)
    if cell is None:
        return False
    spoke = any(
        finding.gate == generator_saturated.GATE.code and finding.verdict is Verdict.INVALID
        for finding in cell.findings
    )
    return spoke or (value_of(cell, "generator.cpu.mean") or 0) > _BUSY


def _percent(metric: Metric | None) -> str:
    return claims.shown(metric) if metric is not None and metric.value is not None else DASH
