"""Two words of the study that name no figure, with the figures they are judged by here."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.report.api import (
    LESS,
    MORE,
    CellTable,
    Context,
    Standing,
    StatementAnswer,
    claims,
    compared,
    open_because,
)

_BALANCED = "spring-stomp"
_OTHERS = ("spring-websocket", "node-ws", "fastapi")
_FIGURES = (
    ("rtt.response.p99", LESS),
    ("delivery.response.p99", LESS),
    ("delivery.loss.ratio", LESS),
    ("delivery.per.cpu", MORE),
)
"""Steadiness is the tail and the loss, performance what a CPU second delivers."""

_GAINS = (("node-ws-cluster-redis-global", "node-ws"), ("fastapi-workers-redis-global", "fastapi"))


def balanced(context: Context, top: CellTable) -> StatementAnswer:
    """The best balance is refuted by a server that is behind in nothing and ahead in something,
    and borne out by being that server for all others."""
    _ = context.words.gettext
    said, stands = [], []
    for other in _OTHERS:
        found = [_side(context, top, other, metric) for metric, _band in _FIGURES]
        if (why := next((one for one in found if isinstance(one, str)), None)) is not None:
            return open_because(why)
        ahead = [stand for stand in found if isinstance(stand, Standing)]
        stands.append(ahead)
        said.append(
            _(
                "{name}: Spring STOMP is ahead in {ahead}, behind in {behind} of {all} figures"
            ).format(
                name=context.name(other),
                ahead=ahead.count(Standing.SUPPORTED),
                behind=ahead.count(Standing.CONTRADICTED),
                all=len(_FIGURES),
            )
        )
    said.append(
        _("Judged by the p99 of the round trip and of the delivery, loss, and deliveries a CPU s.")
    )
    return StatementAnswer(_of_all(stands), "\n".join(said))


def _side(context: Context, top: CellTable, other: str, metric: str) -> Standing | str:
    """Whether STOMP is better in a figure; why it cannot be told."""
    cells = [(name, top.cell(name)) for name in (_BALANCED, other)]
    for name, cell in cells:
        if cell is None:
            return claims.absent(context, top.scenario_name, name)
        if (why := claims.unfit(context, cell, metric)) is not None:
            return f"{claims.named(context, name)}: {why}"
    left, right = (cell.metrics[metric] for _name, cell in cells if cell is not None)
    return compared(left, right, dict(_FIGURES)[metric])


def _of_all(stands: Sequence[Sequence[Standing]]) -> Standing:
    beaten = [_beaten(one) for one in stands]
    if any(
        Standing.CONTRADICTED in one and Standing.SUPPORTED not in one and Standing.OPEN not in one
        for one in stands
    ):
        return Standing.CONTRADICTED
    return Standing.SUPPORTED if all(beaten) else Standing.OPEN


def _beaten(stands: Sequence[Standing]) -> bool:
    """Behind STOMP in something and ahead in nothing."""
    ahead = Standing.CONTRADICTED in stands or Standing.OPEN in stands
    return Standing.SUPPORTED in stands and not ahead


def gained(context: Context, parts: CellTable) -> StatementAnswer:
    """Workers improved the TPS in some step where more messages arrived there than without."""
    _ = context.words.gettext
    said, stands = [], []
    for part in parts.by_step:
        for workers, alone in _GAINS:
            question = claims.ComparedPair("delivery.rate", workers, alone, more=True)
            answer = claims.asked(context, part, question)
            stands.append(answer.stand)
            if answer.stand is Standing.SUPPORTED or part is parts.top:
                said.append(f"{part.title}: {answer.grounds}")
    if Standing.SUPPORTED in stands:
        return StatementAnswer(Standing.SUPPORTED, "\n".join(said))
    if stands and {*stands} <= {Standing.NO_DIFFERENCE, Standing.CONTRADICTED}:
        none = Standing.NO_DIFFERENCE in stands
        stand = Standing.NO_DIFFERENCE if none else Standing.CONTRADICTED
        return StatementAnswer(stand, "\n".join(said))
    return open_because("\n".join(said))
