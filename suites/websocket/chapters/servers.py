"""The servers, and their figures step by step (3.2 of the study)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wirelab.report.api import (
    N_,
    Block,
    Bullets,
    CellTable,
    Context,
    Details,
    FigureColumn,
    Paragraph,
    Section,
    Text,
    Verdict,
    evidence_lines,
    gate_title,
    latency_over_time,
    marked,
    network_over_time,
    plain,
    rate_over_time,
    resources_over_time,
    steps,
    text,
)

from . import table_one

OF_THE_STUDY = ("spring-websocket", "spring-websocket-naive", "spring-stomp", "node-ws", "fastapi")
WITH_REDIS = (
    "node-ws-cluster-redis",
    "node-ws-cluster-redis-global",
    "fastapi-workers-redis",
    "fastapi-workers-redis-global",
)

_ROUND_TRIP = (
    FigureColumn("rtt.rate", N_("sent")),
    FigureColumn("delivery.rate", N_("received")),
    *(
        FigureColumn(f"rtt.response.{stat}", f"RTT {stat}", published=f"rtt.latency.{stat}")
        for stat in ("mean", "p50", "p95", "p99", "p99.9", "max")
    ),
)
_DELIVERY = (
    *(
        FigureColumn(f"delivery.response.{stat}", stat)
        for stat in ("mean", "p50", "p95", "p99", "p99.9", "max")
    ),
    FigureColumn("delivery.loss.ratio"),
    FigureColumn("delivery.loss.count"),
    FigureColumn("delivery.duplicate.count"),
    FigureColumn("delivery.reorder.count"),
)
_RESOURCES = (
    FigureColumn("cpu.mean"),
    FigureColumn("cpu.max"),
    FigureColumn("rss.max"),
    FigureColumn("redis.cpu.mean"),
    FigureColumn("redis.rss.max"),
    FigureColumn("total.cpu.mean"),
    FigureColumn("total.rss.max"),
    FigureColumn("delivery.per.cpu"),
    FigureColumn("delivery.traffic"),
    FigureColumn("delivery.traffic.max"),
    FigureColumn("gc.pause.total"),
)
_BESIDE = ("redis.cpu.mean", "redis.rss.max", "total.cpu.mean", "total.rss.max")
_JOINS = (
    *(FigureColumn(f"connect.latency.{stat}", stat) for stat in ("p50", "p95", "p99", "max")),
    FigureColumn("connect.error.count"),
    FigureColumn("connect.drop.count"),
)
_SERVICE = tuple(
    FigureColumn(f"{operation}.latency.{stat}")
    for operation in ("rtt", "delivery")
    for stat in ("mean", "p50", "p95", "p99", "p99.9", "max")
)


def groups(context: Context, parts: CellTable) -> list[tuple[str, list[str]]]:
    """The contenders in the study's order: its servers, those with Redis, others, yardsticks."""
    _ = context.words.gettext
    known = (*OF_THE_STUDY, *WITH_REDIS)
    others = [n for n in parts.contenders if n not in known and n not in context.references]
    named = [
        (_("servers of the study"), OF_THE_STUDY),
        (_("with workers and Redis"), WITH_REDIS),
        (_("further servers"), others),
    ]
    return [
        (title, [name for name in names if name in parts.contenders])
        for title, names in named
        if any(name in parts.contenders for name in names)
    ]


def results(context: Context, parts: CellTable) -> Section:
    """A part for each server, in the study's order."""
    _ = context.words.gettext
    names = [name for _title, of in groups(context, parts) for name in of]
    parts_of = tuple(_server(context, parts, name) for name in names if name not in WITH_REDIS)
    return Section(_("Results"), "results", parts_of)


def server_blocks(context: Context, parts: CellTable, name: str) -> list[Block | Section]:
    """Round trip, delivery, resources by step; what the checks said; the course of the run."""
    _ = context.words.gettext
    blocks: list[Block | Section] = []
    if note := context.participant(name).manifest.notes.of(context.language):
        blocks.append(Paragraph(marked(note.strip())))
    beside = any("redis.cpu.mean" in c.metrics for p in parts.columns if (c := p.cell(name)))
    resources = [c for c in _RESOURCES if beside or c.metric not in _BESIDE]
    for caption, columns in (
        (_("Messages and round trip"), _ROUND_TRIP),
        (_("Delivery to the others: response time, loss, order"), _DELIVERY),
        (_("Resources of the server"), resources),
    ):
        if table := steps.of_contender(parts, name, caption, _titled(context, columns)):
            blocks.append(table)
    if table := table_one.of_server(parts, name):
        blocks.append(table)
    if said := _verdicts(context, parts, name):
        blocks.append(Bullets(said))
    if more := _more(context, parts, name):
        blocks.append(Details(_("Service times, joining, and the course of the run"), more))
    return blocks


def with_operations(context: Context, columns: Sequence[FigureColumn]) -> list[FigureColumn]:
    """Columns of several operations in one table: each names its own."""
    return [
        replace(column, title=context.naming.short_title(column.metric))
        if not column.title and (".latency." in column.metric or ".response." in column.metric)
        else column
        for column in _titled(context, columns)
    ]


def _titled(context: Context, columns: Sequence[FigureColumn]) -> list[FigureColumn]:
    """The columns with their titles in the language of the report, word by word."""
    _ = context.words.gettext
    return [replace(c, title=" ".join(map(_, c.title.split()))) if c.title else c for c in columns]


def _server(context: Context, parts: CellTable, name: str) -> Section:
    return Section(context.name(name), f"server-{name}", tuple(server_blocks(context, parts, name)))


def _verdicts(context: Context, parts: CellTable, name: str) -> tuple[Text, ...]:
    """List what the checks found wrong with a step: such figures stand in parentheses."""
    said = []
    for part in parts.by_step:
        if (found := part.cell(name)) is None:
            continue
        for finding in found.findings:
            if finding.verdict is Verdict.INVALID:
                said.append(
                    text(
                        "**{step}**: {gate}: {evidence}",
                        step=part.title,
                        gate=gate_title(finding.gate, context.words),
                        evidence="; ".join(evidence_lines(finding, found.id, context.words)),
                    )
                )
    return tuple(said)


def _more(context: Context, parts: CellTable, name: str) -> tuple[Block, ...]:
    _ = context.words.gettext
    blocks: list[Block] = []
    for caption, columns in (
        (_("Service time: from handing over the message"), _SERVICE),
        (_("Joining: from the start of the connection until the board is joined"), _JOINS),
    ):
        named = with_operations(context, columns)
        if table := steps.of_contender(parts, name, caption, named):
            blocks.append(table)
    if alone := parts.whole.among([name]):
        for chart in (
            latency_over_time(context, alone),
            rate_over_time(context, alone),
            network_over_time(context, alone),
            resources_over_time(context, alone),
        ):
            if chart is not None:
                blocks.append(chart)
    return tuple(blocks)


def method(context: Context) -> Section:
    """Describe what is sent, what is counted, and how that differs from the study's figures."""
    _ = context.words.gettext
    lines = (
        text(
            _(
                "**RTT** runs from the intended time of a message until its sender has its own "
                "copy back (response time); the service time, from handing it to the socket, is "
                "in the folded tables. The study's RTT starts at sending, so it is set beside "
                "the same statistic."
            )
        ),
        text(
            _(
                "**Delivery** is the time until each other member of the board has the message. "
                "The study did not measure it, although it is what users of a whiteboard see."
            )
        ),
        text(
            _(
                "**Loss** is exact: members on the board when a message was sent, against first "
                "copies received, by sequence number. Users who are still joining are owed "
                "nothing, so joining is no loss."
            )
        ),
        text(
            _(
                "**Sent and received** stand apart. The study's TPS is their sum, of which it "
                "prints no figure; ours is in a table of its own at each server, beside the range "
                "of memory that the study gives instead of a maximum, and the network in both "
                "directions."
            )
        ),
        text(
            _(
                "**CPU** of 100 % is one core. Servers with workers count all of their processes; "
                "Redis is shown apart and together with them."
            )
        ),
        plain(
            _(
                "Sends keep to their schedule whatever the server does (open model): a slow server "
                "never slows the load."
            )
        ),
    )
    return Section(_("Method"), "method", (Bullets(lines),))
