"""The study's conclusions against this run, and when the convenience is worth its price."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.report.api import (
    LESS,
    MORE,
    SAME,
    CellTable,
    Context,
    Metric,
    RatioBand,
    Rule,
    Section,
    Standing,
    StatementAnswer,
    claims,
    limited,
    numbers,
    open_because,
    own_statements,
    study_statements,
)

from .cells import ELAPSED

SOCKET, RMI, JMS = "socket", "rmi", "jms-artemis"
UNBUFFERED = "socket-naive"
UNLIKE = "jms-artemis-amqp"
"""JMS asks, and what answers is no JMS."""


def statements(context: Context) -> Section:
    """The study's statements, then what follows for a choice."""
    _ = context.words.gettext
    caption = _("What the study concludes, against this run")
    blocks = study_statements(context, caption, _rules(context))
    blocks += own_statements(context, _("When is the convenience worth it?"), _own(context))
    return Section(_("The study, answered"), "statements", tuple(blocks))


def _rules(context: Context) -> Mapping[str, Rule]:
    """Rules that compare figures of one contender; the rest are declared with the statements."""
    broadcast = CellTable.of(context, "broadcast")
    echoes = CellTable.of(context, "echo-clients")
    return {
        "rmi-favours-the-last": lambda: _first_and_last(context, broadcast, RMI, MORE),
        "socket-even": lambda: _first_and_last(context, broadcast, SOCKET, SAME),
        "socket-even-echo": lambda: _first_and_last(context, echoes, SOCKET, SAME, "echo"),
        "rmi-even-echo": lambda: _first_and_last(context, echoes, RMI, SAME, "echo"),
        "few-clients": lambda: _few_clients(context, broadcast),
        "jms-and-others": lambda: _unlike_clients(context),
    }


def _first_and_last(
    context: Context, grid: CellTable, name: str, band: RatioBand, operation: str = "complete"
) -> StatementAnswer:
    """Judge the ratio of the last client's wait to the first one's."""
    _ = context.words.gettext
    if not grid:
        return open_because(_("not measured in this run"))
    answers = []
    for step in grid.steps:
        first, last = (grid.metric(name, step, f"{operation}.{who}") for who in ("first", "last"))
        if first is None or last is None:
            continue
        said = _("{step}: first {first}, last {last}").format(
            step=grid.step_title(step), first=claims.shown(first), last=claims.shown(last)
        )
        answers.append(claims.judged(context, said, first, last, band))
    if not answers:
        return open_because(f"{claims.named(context, name)}: " + _("no valid figure"))
    return claims.all_of(answers)


def _few_clients(context: Context, grid: CellTable) -> StatementAnswer:
    """Time for a delivery with few clients that send much, against many that send little."""
    _ = context.words.gettext
    few, many = "c100-m100", "c300-m10"
    if few not in grid.steps or many not in grid.steps:
        return open_because(_("needs 100 clients × 100 messages and 300 × 10"))
    answers = []
    for name in (SOCKET, RMI, JMS):
        own, other = (_delivery_us(grid, name, step) for step in (few, many))
        if own is None or other is None:
            continue
        said = _("{name}: {few} µs a delivery with 100 × 100, {many} µs with 300 × 10").format(
            name=claims.named(context, name),
            few=numbers.brief(own.value or 0.0),
            many=numbers.brief(other.value or 0.0),
        )
        answers.append(claims.judged(context, said, own, other, LESS))
    return claims.all_of(answers) if answers else open_because(_("no valid figure"))


def _unlike_clients(context: Context) -> StatementAnswer:
    """Whether a client that is none of JMS answers one that is."""
    _ = context.words.gettext
    grid = CellTable.of(context, "transfer", "transfer-steady")
    cells = [cell for step in grid.steps if (cell := grid.cell(UNLIKE, step)) is not None]
    statuses = [cell.statuses.get("echo", {}) for cell in cells]
    asked = sum(sum(told.values()) for told in statuses)
    answered = sum(told.get("ok", 0) for told in statuses)
    if not asked:
        return open_because(_("not measured in this run"))
    said = _("{name}: {answered} of {asked} requests over JMS were answered over AMQP").format(
        name=claims.named(context, UNLIKE), answered=f"{answered:,}", asked=f"{asked:,}"
    )
    return StatementAnswer(Standing.SUPPORTED if answered else Standing.CONTRADICTED, said)


def _delivery_us(grid: CellTable, name: str, step: str) -> Metric | None:
    """The time of a step for each of its deliveries, whose number is exact."""
    due = grid.metric(name, step, "delivery.expected.count")
    elapsed = grid.metric(name, step, ELAPSED)
    if due is None or elapsed is None or not due.value:
        return None
    return elapsed.scaled(1e6 * len(elapsed.per_trial) / due.value, "µs")


# ------------------------------------------------------------------------- for a choice


def _own(context: Context) -> list[tuple[str, Rule]]:
    _ = context.words.gettext
    transfer = CellTable.of(context, "transfer", "transfer-steady")
    return [
        (
            _("A call of RMI costs less than a millisecond: convenience is affordable"),
            lambda: _below(transfer, RMI, 1.0),
        ),
        (
            _("A message through a broker costs less than a millisecond"),
            lambda: _below(transfer, JMS, 1.0),
        ),
        (
            _("Storing a message on disk costs more than everything else together"),
            lambda: _dearer(transfer, "jms-artemis-persistent", "jms-artemis-responder"),
        ),
        (
            _("Two writes without TCP_NODELAY cost more than any library here without a disk"),
            lambda: _dearest(transfer, UNBUFFERED),
        ),
    ]


def _below(grid: CellTable, name: str, limit_ms: float) -> StatementAnswer:
    if (found := grid.metric(name, "steady", "echo.latency.p50")) is None:
        return _without_figure(grid, name)
    said = f"{claims.named(grid.context, name)}: p50 {claims.shown(found)}"
    return StatementAnswer(limited(found, limit_ms, below=True), said)


def _dearer(grid: CellTable, left: str, right: str, step: str = "steady") -> StatementAnswer:
    own, other = (grid.metric(name, step, "echo.latency.p50") for name in (left, right))
    if own is None or other is None:
        return _without_figure(grid, left if own is None else right)
    said = f"{claims.named(grid.context, left)} {claims.shown(own)}, "
    said += f"{claims.named(grid.context, right)} {claims.shown(other)}"
    return claims.judged(grid.context, said, own, other, MORE)


def _dearest(grid: CellTable, name: str) -> StatementAnswer:
    if grid.metric(name, "cold", "echo.latency.p50") is None:
        return _without_figure(grid, name)
    others = [n for n in grid.contenders if n != name and grid.context.mode_of(n) != "persistent"]
    answers = [
        _dearer(grid, name, other, "cold")
        for other in others
        if grid.metric(other, "cold", "echo.latency.p50") is not None
    ]
    return claims.all_of(answers) if answers else _without_figure(grid, name)


def _without_figure(grid: CellTable, name: str) -> StatementAnswer:
    """Open, because a contender that the statement is about has nothing to compare."""
    said = grid.context.words.gettext("{name}: no valid figure in this run")
    return open_because(said.format(name=claims.named(grid.context, name)))
