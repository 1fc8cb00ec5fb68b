"""Choice and tuning of servers (5 of the study)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from wirelab.report.api import (
    Block,
    CellTable,
    Choice,
    ComparedPair,
    Context,
    Rule,
    Section,
    Situation,
    Standing,
    StatementAnswer,
    advice,
    claims,
    open_because,
    own_statements,
    paragraph,
    stepped,
    study_statements,
)

from . import tunings
from .loss import exact_loss, loss_words, losses
from .measures import measures
from .redis import BOARD, GLOBAL, WORKERS
from .tuning_worth import worth


def guidance(context: Context, parts: CellTable) -> list[Section]:
    """Recommended use, then tuning."""
    return [_use(context, parts), _tuning(context, parts)]


# -------------------------------------------------------------------------- recommended use


def situations(context: Context, parts: CellTable) -> tuple[Situation, ...]:
    """A reader's situations, each with the figure that decides it."""
    _ = context.words.gettext
    top = parts.top
    step = top.title
    return (
        Situation(
            "delivery",
            _("Others see it soonest ({step}, delivery p99)").format(step=step),
            _by("delivery.response.p99"),
        ),
        Situation("cpu", _("Limited CPU (most deliveries a CPU second)"), _by("delivery.per.cpu")),
        Situation("memory", _("Limited memory (server and Redis)"), _by("total.rss.max")),
        _elsewhere(context, "stroke", _("Pen strokes (delivery p99)"), "delivery.response.p99"),
        _elsewhere(
            context, "join-storm", _("Everybody joins at once (p95)"), "connect.response.p95"
        ),
        _elsewhere(context, "crowd", _("Very many connections (memory)"), "total.rss.max"),
        _elsewhere(
            context, "crowd", _("Very many connections (delivery p95)"), "delivery.response.p95"
        ),
        _elsewhere(context, "sensors", _("Sensors that only send (CPU)"), "total.cpu.mean"),
    )


def _by(metric: str) -> partial[Choice]:
    return partial(advice.by_metric, metric=metric)


def _elsewhere(context: Context, scenario: str, title: str, metric: str) -> Situation:
    """A situation that another scenario than the ramp decides."""
    _ = context.words.gettext
    found = stepped(context, scenario)

    def choose(context: Context, _part: CellTable) -> Choice:
        if not found:
            return advice.undecided(
                _("the scenario was not run: ./wl run websocket --scenario {name}").format(
                    name=scenario
                )
            )
        return advice.by_metric(context, found.top, metric)

    return Situation(f"{scenario}-{metric}", title, choose)


def _use(context: Context, parts: CellTable) -> Section:
    _ = context.words.gettext
    blocks: list[Block | Section] = [
        paragraph(
            _(
                "Derived from the figures of this run by the rule named in each row; the "
                "interval decides, so that a choice may be shared. Where the figures do not "
                "support a choice it stays open."
            )
        ),
        advice.table(context, parts.top, situations(context, parts)),
    ]
    caption = _("Use that the study recommends, and whether this run supports it")
    blocks += study_statements(context, caption, use_rules(context, parts), "use", explained=False)
    return Section(_("Recommended use of each server"), "use", tuple(blocks))


def use_rules(context: Context, parts: CellTable) -> Mapping[str, Rule]:
    """The rules for the statements of 5.1."""
    _ = context.words.gettext

    return {
        "use-spring-stomp-pubsub": lambda: _keeps_all(context, parts, "spring-stomp"),
        "use-fastapi-small": lambda: _keeps_all(context, parts, "fastapi", first=True),
    }


def _keeps_all(
    context: Context, parts: CellTable, contender: str, *, first: bool = False
) -> StatementAnswer:
    """Whether nothing was lost at a step."""
    _ = context.words.gettext
    part = parts.by_step[0] if first else parts.top
    unknown, loss = exact_loss(context, part, contender)
    found = part.cell(contender)
    if unknown is not None or found is None:
        return unknown or open_because(contender)
    p99 = found.metrics.get("rtt.response.p99")
    said = _("{step}: loss {loss}, RTT p99 {p99}").format(
        step=part.title,
        loss=loss_words(found),
        p99=claims.shown(p99) if p99 is not None and p99.value is not None else "–",
    )
    return StatementAnswer(Standing.SUPPORTED if loss == 0 else Standing.CONTRADICTED, said)


# ------------------------------------------------------------------------------------ tuning


def _tuning(context: Context, parts: CellTable) -> Section:
    _ = context.words.gettext
    blocks: list[Block | Section] = [
        paragraph(
            _(
                "Variants of one server that took part side by side show what a change is "
                "worth. What was not varied stays open, whoever recommends it."
            )
        ),
        *worth(context),
        *own_statements(context, _("Changes this run has figures of"), own_rules(context, parts)),
    ]
    caption = _("Tuning that the study recommends, and whether this run supports it")
    blocks += study_statements(context, caption, None, "tuning", explained=False)
    blocks += measures(context)
    blocks += tunings.sections(context)
    return Section(_("Tuning of each server"), "tuning", tuple(blocks))


def own_rules(context: Context, parts: CellTable) -> list[tuple[str, Rule]]:
    """Changes of which both sides took part."""
    _ = context.words.gettext
    top = parts.top

    def ask(metric: str, left: str, right: str, *, more: bool = False) -> Rule:
        return partial(claims.asked, context, top, ComparedPair(metric, left, right, more))

    return [
        (
            _("Spring WebSocket: ConcurrentWebSocketSessionDecorator around each session, no loss"),
            lambda: _decorated(context, parts),
        ),
        (
            _("Redis: a channel for each board instead of one for all, to save CPU"),
            ask("total.cpu.mean", BOARD, GLOBAL),
        ),
        (
            _("Redis: a channel for each board instead of one for all, for faster delivery"),
            ask("delivery.response.p99", BOARD, GLOBAL),
        ),
        (
            _("Node.js: workers with Redis instead of one process, for faster delivery"),
            ask("delivery.response.p99", BOARD, "node-ws"),
        ),
        (
            _("Node.js: one process instead of workers with Redis, for more deliveries a CPU s"),
            ask("delivery.per.cpu", "node-ws", BOARD, more=True),
        ),
        (
            _("FastAPI: one process instead of workers with Redis, for more deliveries a CPU s"),
            ask("delivery.per.cpu", "fastapi", WORKERS, more=True),
        ),
        *tunings.own_rules(context),
    ]


def _decorated(context: Context, parts: CellTable) -> StatementAnswer:
    kept, lost = "spring-websocket", "spring-websocket-naive"
    worst: dict[str, float] = {}
    for name in (kept, lost):
        for part in parts.by_step:
            unknown, loss = exact_loss(context, part, name)
            if unknown is not None:
                return unknown
            worst[name] = max(worst.get(name, 0.0), loss)
    said = "\n".join(f"{context.name(name)}: {losses(parts, name)}" for name in (kept, lost))
    if worst[kept] == 0 and worst[lost] > 0:
        return StatementAnswer(Standing.SUPPORTED, said)
    if worst[kept] > worst[lost]:
        return StatementAnswer(Standing.CONTRADICTED, said)
    return StatementAnswer(Standing.NO_DIFFERENCE, said)
