"""Workers with Redis against one process without (4 of the study)."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.report.api import (
    DASH,
    MORE,
    Absent,
    Block,
    Cell,
    CellTable,
    Column,
    Context,
    FigureColumn,
    Head,
    Plain,
    Row,
    RowGroup,
    Rule,
    Section,
    Standing,
    StatementAnswer,
    Table,
    Verdict,
    cell,
    claims,
    compared,
    contender_head,
    limited,
    measured,
    open_because,
    paragraph,
    ratio,
    ratio_words,
    study_statements,
    whole,
)

from .loss import exact_loss, loss_words
from .servers import WITH_REDIS, server_blocks

BOARD, GLOBAL, WORKERS, WORKERS_GLOBAL = WITH_REDIS
_PAIRS = (
    (BOARD, "node-ws"),
    (GLOBAL, "node-ws"),
    (GLOBAL, BOARD),
    (WORKERS, "fastapi"),
    (WORKERS_GLOBAL, "fastapi"),
    (WORKERS_GLOBAL, WORKERS),
)
_METRICS = (
    "rtt.response.p50",
    "rtt.response.p95",
    "rtt.response.p99",
    "delivery.response.p95",
    "delivery.response.p99",
    "total.cpu.mean",
    "cpu.mean",
    "delivery.per.cpu",
    "total.rss.max",
)
_REDIS_FULL = 90.0
"""Percent of a core, for a program that handles commands with one thread."""


def redis(context: Context, parts: CellTable) -> list[Section]:
    """Set-up, then results and their analysis; nothing when no such server took part."""
    _ = context.words.gettext
    present = [name for name in WITH_REDIS if name in parts.contenders]
    if not present:
        said = paragraph(_nobody(context))
        return [Section(_("Not run"), "redis-none", (said, *_statements(context, parts)))]
    setup = Section(
        _("Set-up of the optimisation experiment"),
        "redis-setup",
        (
            paragraph(
                _(
                    "Each server runs several worker processes; a message that reaches one of "
                    "them goes to the others through Redis Pub/Sub. The study describes one "
                    "topology: every message to every worker. Here a channel for each board is "
                    "set beside that one global channel, on the same code. Server and Redis "
                    "share the cores of the server's side, so that both together have what "
                    "the plain server has alone."
                )
            ),
        ),
    )
    results = tuple(
        Section(context.name(n), f"server-{n}", tuple(server_blocks(context, parts, n)))
        for n in present
    )
    compared = Section(
        _("Comparison and analysis"), "redis-comparison", (*_ratios(context, parts), *results)
    )
    return [setup, compared]


def _nobody(context: Context) -> str:
    return context.words.gettext("No server with workers and Redis took part in this run.")


def _ratios(context: Context, parts: CellTable) -> list[Block]:
    _ = context.words.gettext
    blocks: list[Block] = [
        paragraph(
            _(
                "Ratios at {step}, with their 95 % interval. Above 1: the first has more. An "
                "interval that includes 1 does not tell them apart."
            ).format(step=parts.top.title)
        )
    ]
    pairs = [p for p in _PAIRS if all(parts.top.cell(name) is not None for name in p)]
    if pairs:
        rows = tuple(_ratio_row(context, parts.top, metric, pairs) for metric in _METRICS)
        columns = tuple(
            Column(_("{a} : {b}").format(a=context.name(a), b=context.name(b))) for a, b in pairs
        )
        blocks.append(
            Table(
                _("Ratio to the plain server, and of one global channel to one a board"),
                (_("metric"),),
                columns,
                (RowGroup(rows),),
            )
        )
    blocks.append(_redis_use(context, parts))
    return [*blocks, *_statements(context, parts)]


def _statements(context: Context, parts: CellTable) -> list[Block]:
    """Show the study's statements on Redis, whoever took part."""
    caption = context.words.gettext("What the study says of Redis, against this run")
    return study_statements(context, caption, rules(context, parts), "redis", explained=False)


def _ratio_row(context: Context, top: CellTable, metric: str, pairs: list[tuple[str, str]]) -> Row:
    title = context.naming.title(metric)
    cells = tuple(_ratio(context, top, metric, *pair) for pair in pairs)
    return Row(Head(title), cells)


def _ratio(context: Context, top: CellTable, metric: str, left: str, right: str) -> Plain:
    _ = context.words.gettext
    cells = [top.cell(name) for name in (left, right)]
    for name, found in zip((left, right), cells, strict=True):
        if claims.unusable(context, found, metric) is not None:
            figure = found.metrics.get(metric) if found else None
            invalid = figure is not None and figure.verdict is Verdict.INVALID
            why = _("invalid") if invalid else DASH
            return Absent(f"{context.name(name)}: {why}" if invalid else why)
    a, b = (found.metrics[metric] for found in cells if found is not None)
    apart = ratio(a, b)
    if apart is None:
        return Absent(_("no interval"))
    return cell(ratio_words(apart))


def _redis_use(context: Context, parts: CellTable) -> Table:
    """CPU and memory of the workers and of Redis, apart and together, at the highest step."""
    _ = context.words.gettext
    names: tuple[str, ...] = ("cpu.mean", "redis.cpu.mean", "total.cpu.mean")
    names += ("rss.max", "redis.rss.max", "total.rss.max", "delivery.per.cpu")
    shown_of = ("node-ws", BOARD, GLOBAL, "fastapi", WORKERS, WORKERS_GLOBAL)
    cells = [found for name in shown_of if (found := parts.top.cell(name)) is not None]
    rows = tuple(_use_row(context, found, names) for found in cells)
    columns = tuple(Column(context.naming.column_title(name), _unit(cells, name)) for name in names)
    caption = _("Servers and Redis apart and together, {step}").format(step=parts.top.title)
    return Table(caption, (_("contender"),), columns, (RowGroup(rows),))


def _use_row(context: Context, found: Cell, names: tuple[str, ...]) -> Row:
    cells = tuple(
        measured(context, found, FigureColumn(name)) if name in found.metrics else Absent(DASH)
        for name in names
    )
    return Row(contender_head(context, found), cells)


def _unit(cells: list[Cell], name: str) -> str:
    return next((c.metrics[name].unit for c in cells if name in c.metrics), "")


# ------------------------------------------------------------------------------------ rules


def rules(context: Context, parts: CellTable) -> Mapping[str, Rule]:
    """The suite's own rules for the statements of section 4, by their keys."""
    top = parts.top
    return {
        "redis-collapse": lambda: _collapse(context, top),
        "redis-saturated": lambda: _saturated(context, top),
        "redis-memory": lambda: _memory(context, top),
    }


def _collapse(context: Context, top: CellTable) -> StatementAnswer:
    _ = context.words.gettext
    said, worst = [], 0.0
    for name in (GLOBAL, BOARD):
        unknown, loss = exact_loss(context, top, name)
        found = top.cell(name)
        if unknown is not None or found is None:
            return unknown or open_because(name)
        worst = max(worst, loss)
        said.append(
            _("{name}: loss {loss}").format(name=context.name(name), loss=loss_words(found))
        )
    return StatementAnswer(
        Standing.SUPPORTED if worst > 50 else Standing.CONTRADICTED, "\n".join(said)
    )


def _saturated(context: Context, top: CellTable) -> StatementAnswer:
    """The CPU of Redis itself, which the study did not measure."""
    _ = context.words.gettext
    said, stands = [], []
    for name in WITH_REDIS:
        found = top.cell(name)
        if claims.unusable(context, found, "redis.cpu.mean") is None and found is not None:
            used = found.metrics["redis.cpu.mean"]
            stands.append(limited(used, _REDIS_FULL, below=False))
            said.append(
                _("{name}: CPU of Redis {used}").format(
                    name=context.name(name), used=claims.shown(used)
                )
            )
    if not said and all(top.cell(name) is None for name in WITH_REDIS):
        return open_because(claims.absent(context, top.scenario_name, GLOBAL))
    if not said:
        return open_because(_("no valid figure of the CPU of Redis"))
    # One server that fills Redis shows that it can be filled.
    stand = Standing.SUPPORTED if Standing.SUPPORTED in stands else whole(stands)
    return StatementAnswer(stand, "\n".join(said))


def _memory(context: Context, top: CellTable) -> StatementAnswer:
    """Say whose memory it is: that of Redis, or that of the workers."""
    _ = context.words.gettext
    found = top.cell(GLOBAL)
    if found is None:
        return open_because(claims.absent(context, top.scenario_name, GLOBAL))
    reasons = [claims.unusable(context, found, name) for name in ("rss.max", "redis.rss.max")]
    if any(reasons):
        why = next(reason for reason in reasons if reason)
        return open_because(f"{claims.named(context, GLOBAL)}: {why}")
    said = _("memory of the workers {workers}, of Redis {redis}").format(
        workers=claims.shown(found.metrics["rss.max"]),
        redis=claims.shown(found.metrics["redis.rss.max"]),
    )
    more = compared(found.metrics["redis.rss.max"], found.metrics["rss.max"], MORE)
    return StatementAnswer(more, said)
