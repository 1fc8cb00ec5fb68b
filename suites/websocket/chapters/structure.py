"""Causes of differences between servers (3.3.2 of the study), each against figures of this run."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.report.api import (
    Cell,
    CellTable,
    ComparedPair,
    Context,
    Rule,
    Section,
    Standing,
    StatementAnswer,
    claims,
    limited,
    open_because,
    study_statements,
    usable_value,
    users_of,
    value_of,
)

from . import balance
from .loss import exact_loss, loss_words, losses

_COMPILED = ("Java", "C#", "Rust", "Go", "C", "C++")
_INTERPRETED = ("Python", "JavaScript", "Node.js", "TypeScript")
_CORE = 100.0
"""Percent: what one thread can use at the most."""

_LOOP_FULL = 90.0
"""Percent of a core: an event loop that is used so much has no time left for a burst."""

_LOOP_FREE = 80.0
"""Below this the loop was idle for a fifth of the time."""


def rules(context: Context, parts: CellTable) -> Mapping[str, Rule]:
    """The suite's own rules for the statements of 3.2, 3.3 and 6, by their keys."""
    top = parts.top
    return {
        "fastapi-collapse": lambda: _collapse(context, parts),
        "initial-loss": lambda: _initial_loss(context, parts),
        "compiled": lambda: _compiled(context, top),
        "threads": lambda: _threads(context, top),
        "node-tail": lambda: _tail(context, parts),
        "fastapi-loop": lambda: _loop(context, top, "fastapi"),
        "stomp-balanced": lambda: balance.balanced(context, top),
        "workers-gain": lambda: balance.gained(context, parts),
        "node-loss": lambda: _node_and_fastapi_lose(context, parts),
    }


def structure(context: Context, parts: CellTable) -> Section:
    """The table of statements, and how to read it."""
    _ = context.words.gettext
    caption = _("What the study says of causes, against figures of this run ({step})").format(
        step=parts.top.title
    )
    blocks = study_statements(context, caption, rules(context, parts))
    return Section(_("Structure of the frameworks"), "structure", tuple(blocks))


# ------------------------------------------------------------------------------------ rules


def _collapse(context: Context, parts: CellTable) -> StatementAnswer:
    """Loss, failed joins and dropped connections of FastAPI from 500 users on."""
    _ = context.words.gettext
    late = [part for part in parts.by_step if users_of(part) >= 500]
    if not late:
        return open_because(_("no step of 500 users or more in this run"))
    broken = False
    said = []
    for part in late:
        unknown, loss = exact_loss(context, part, "fastapi")
        if unknown is not None:
            return unknown
        cell = part.cell("fastapi")
        if cell is None:
            continue
        failed, dropped = (value_of(cell, f"connect.{n}.count") or 0.0 for n in ("error", "drop"))
        broken = broken or loss > 0 or failed + dropped > 0
        said.append(
            _("{step}: loss {loss}, joins failed {failed}, dropped {dropped}, CPU {cpu}").format(
                step=part.title,
                loss=loss_words(cell),
                failed=f"{failed:,.0f}",
                dropped=f"{dropped:,.0f}",
                cpu=_figure(cell, "cpu.mean"),
            )
        )
    return StatementAnswer(Standing.SUPPORTED if broken else Standing.CONTRADICTED, "\n".join(said))


def _initial_loss(context: Context, parts: CellTable) -> StatementAnswer:
    """With joining left out, a server that loses nothing beside one that does shows a cause."""
    _ = context.words.gettext
    kept, lost = "spring-websocket", "spring-websocket-naive"
    for part in parts.by_step:
        for name in (kept, lost):
            unknown, _loss = exact_loss(context, part, name)
            if unknown is not None:
                return unknown
    said = "\n".join(f"{context.name(name)}: {losses(parts, name)}" for name in (kept, lost))
    worst = {
        name: max(exact_loss(context, part, name)[1] for part in parts.by_step)
        for name in (kept, lost)
    }
    if worst[kept] == 0 and worst[lost] > 0:
        return StatementAnswer(
            Standing.CONTRADICTED,
            _(
                "{losses}\nJoining is in neither figure, and the two differ in nothing but "
                "ConcurrentWebSocketSessionDecorator."
            ).format(losses=said),
        )
    return open_because(_("{losses}\nNo loss to explain.").format(losses=said))


def _compiled(context: Context, top: CellTable) -> StatementAnswer:
    """The slowest of the compiled against the fastest of the interpreted, per CPU second."""
    _ = context.words.gettext
    by_kind = {
        kind: [
            cell
            for cell in top.ranked
            if context.participant(cell.contender).manifest.language in languages
            and usable_value(cell, "delivery.per.cpu") is not None
        ]
        for kind, languages in (("compiled", _COMPILED), ("interpreted", _INTERPRETED))
    }
    if not all(by_kind.values()):
        return open_because(_("servers of only one kind have valid figures"))
    slowest = min(by_kind["compiled"], key=lambda c: usable_value(c, "delivery.per.cpu") or 0.0)
    fastest = max(by_kind["interpreted"], key=lambda c: usable_value(c, "delivery.per.cpu") or 0.0)
    question = ComparedPair("delivery.per.cpu", slowest.contender, fastest.contender, more=True)
    return claims.asked(context, top, question)


def _threads(context: Context, top: CellTable) -> StatementAnswer:
    """Less than one core's work needs no second thread: then parallelism explains nothing."""
    _ = context.words.gettext
    cell = top.cell("spring-websocket")
    if cell is None:
        return open_because(claims.absent(context, top.scenario_name, "spring-websocket"))
    if (why := claims.unusable(context, cell, "cpu.mean")) is not None:
        return open_because(f"{claims.named(context, 'spring-websocket')}: {why}")
    used = claims.shown(cell.metrics["cpu.mean"])
    if limited(cell.metrics["cpu.mean"], _CORE, below=False) is not Standing.SUPPORTED:
        return open_because(
            _(
                "CPU {used}: not shown to be more than one core's work, so that one thread could "
                "have done it; working in parallel is not shown to have helped."
            ).format(used=used)
        )
    return StatementAnswer(
        Standing.SUPPORTED, _("CPU {used}: more than one thread was at work").format(used=used)
    )


def _tail(context: Context, parts: CellTable) -> StatementAnswer:
    """A loop that is idle for a fifth of the time has no queue; a full one has."""
    _ = context.words.gettext
    ends = (parts.by_step[0], parts.top)
    cells = [part.cell("node-ws") for part in ends]
    for part, cell in zip(ends, cells, strict=True):
        if cell is None:
            return open_because(claims.absent(context, part.scenario_name, "node-ws"))
        for metric in ("rtt.response.p99", "cpu.mean"):
            if (why := claims.unusable(context, cell, metric)) is not None:
                name = claims.named(context, "node-ws")
                return open_because(f"{name} ({part.title}): {why}")
    said = "\n".join(
        _("{step}: RTT p99 {p99}, CPU {cpu}").format(
            step=part.title,
            p99=_figure(cell, "rtt.response.p99"),
            cpu=_figure(cell, "cpu.mean"),
        )
        for part, cell in zip(ends, cells, strict=True)
        if cell is not None
    )
    return _fullness(context, cells[1], said)


def _loop(context: Context, top: CellTable, contender: str) -> StatementAnswer:
    _ = context.words.gettext
    cell = top.cell(contender)
    if cell is None:
        return open_because(claims.absent(context, top.scenario_name, contender))
    name = claims.named(context, contender)
    if (why := claims.unusable(context, cell, "cpu.mean")) is not None:
        return open_because(f"{name}: {why}")
    said = _("CPU {cpu}, RTT p99 {p99}").format(
        cpu=_figure(cell, "cpu.mean"), p99=_figure(cell, "rtt.response.p99")
    )
    return _fullness(context, cell, said)


def _fullness(context: Context, cell: Cell | None, said: str) -> StatementAnswer:
    """A loop is full, or had time left, where the whole interval of its CPU says so."""
    _ = context.words.gettext
    used = cell.metrics.get("cpu.mean") if cell else None
    if used is not None and limited(used, _LOOP_FULL, below=False) is Standing.SUPPORTED:
        return StatementAnswer(
            Standing.SUPPORTED, _("{figures}\nThe loop is full.").format(figures=said)
        )
    if used is not None and limited(used, _LOOP_FREE, below=True) is Standing.SUPPORTED:
        return StatementAnswer(
            Standing.CONTRADICTED,
            _("{figures}\nThe one loop still had time left.").format(figures=said),
        )
    return open_because(said)


def _node_and_fastapi_lose(context: Context, parts: CellTable) -> StatementAnswer:
    _ = context.words.gettext
    said = []
    losing = []
    for name in ("node-ws", "fastapi"):
        unknown, loss = exact_loss(context, parts.top, name)
        if unknown is not None:
            return unknown
        cell = parts.top.cell(name)
        if cell is None:
            continue
        losing.append(loss > 0)
        said.append(
            _("{name}: loss {loss}, RTT p99 {p99}").format(
                name=context.name(name),
                loss=loss_words(cell),
                p99=_figure(cell, "rtt.response.p99"),
            )
        )
    stand = Standing.SUPPORTED if all(losing) else Standing.CONTRADICTED
    return StatementAnswer(stand, "\n".join(said))


def _figure(cell: Cell, metric: str) -> str:
    found = cell.metrics.get(metric)
    return claims.shown(found) if found is not None and found.value is not None else "–"
