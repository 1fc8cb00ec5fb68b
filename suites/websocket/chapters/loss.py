"""Exact losses, and whether they may be told."""

from __future__ import annotations

from wirelab.report.api import (
    TRIALS,
    Cell,
    CellTable,
    Context,
    StatementAnswer,
    claims,
    numbers,
    open_because,
    trials_of,
    value_of,
)


def exact_loss(
    context: Context, part: CellTable, contender: str
) -> tuple[StatementAnswer | None, float]:
    """Lost deliveries and connections of a cell, in %; an open answer where they are not known."""
    _ = context.words.gettext
    found = part.cell(contender)
    name = claims.named(context, contender)
    loss = value_of(found, "delivery.loss.ratio") if found is not None else None
    if found is None:
        return open_because(claims.absent(context, part.scenario_name, contender)), 0.0
    if (why := claims.uncountable(context, found, "delivery.loss.ratio")) or loss is None:
        reason = why or _("no figure of the loss")
    elif trials_of(found.metrics["delivery.loss.ratio"]) < TRIALS:
        few = _("one trial: an exact count needs two")
        return open_because(f"{name}: {few}"), loss
    else:
        return None, loss
    return open_because(f"{name}: {reason}"), 0.0


def loss_words(found: Cell) -> str:
    """``0.02 % (12 of 60,000)``."""
    ratio, lost, owed = (
        value_of(found, f"delivery.{name}") or 0.0
        for name in ("loss.ratio", "loss.count", "expected.count")
    )
    return f"{numbers.brief(ratio)} % ({lost:,.0f} / {owed:,.0f})"


def losses(parts: CellTable, contender: str) -> str:
    """The loss of a contender, step by step."""
    return ", ".join(
        f"{part.title} {loss_words(cell)}"
        for part in parts.by_step
        if (cell := part.cell(contender)) is not None
    )
