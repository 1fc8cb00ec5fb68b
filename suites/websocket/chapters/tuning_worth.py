"""Worth of each tuning: whether it helps, by ratios to the unchanged server (5.2 of the study)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Literal

from wirelab.report.api import (
    LESS,
    MORE,
    N_,
    TRIALS,
    Absent,
    Badge,
    Block,
    Cell,
    CellTable,
    Column,
    Context,
    Head,
    Metric,
    Plain,
    RatioBand,
    Row,
    RowGroup,
    Standing,
    Table,
    WordsCell,
    cell,
    claims,
    compared,
    paragraph,
    ratio,
    ratio_words,
    stepped,
    trials_of,
)

from .tuning_kinds import SCENARIO, Tuning
from .tuning_list import TUNINGS

_DECIDE: tuple[tuple[str, RatioBand], ...] = (
    ("delivery.response.p99", LESS),
    ("delivery.per.cpu", MORE),
    ("total.rss.max", LESS),
    ("delivery.reorder.count", LESS),
    ("delivery.loss.count", LESS),
)
"""Figures that a tuning is judged by, and what is better in each."""


class Effect(Enum):
    """Effect of a tuning, in a word."""

    HELPS = N_("helps")
    COSTS = N_("costs")
    BOTH = N_("helps and costs")
    NONE = Standing.NO_DIFFERENCE.word
    OPEN = Standing.OPEN.word


_TONES: Mapping[Effect, Literal["good", "bad", "neutral"]] = {
    Effect.HELPS: "good",
    Effect.COSTS: "bad",
}
_OF_STANDING = {
    Standing.SUPPORTED: Effect.HELPS,
    Standing.CONTRADICTED: Effect.COSTS,
    Standing.NO_DIFFERENCE: Effect.NONE,
}


def worth(context: Context) -> list[Block]:
    """A line for each tuning, below how it is read; nothing where none stood beside its server."""
    _ = context.words.gettext
    found = stepped(context, SCENARIO)
    told = [_group(context, found.top, tuning) for tuning in TUNINGS] if found else []
    groups = tuple(group for group in told if group is not None)
    if not groups:
        return []
    said = _(
        "A tuning helps where the whole interval of a ratio says so in one figure and in none the "
        "opposite, and costs where it is the other way round. No difference needs all of every "
        "interval within 5 %. Fewer is better of ms, memory, and messages out of order or lost, "
        "more of deliveries a CPU second. Ratios are tuned : unchanged, messages out of order or "
        "lost are counts. Any of them is a cost where the unchanged server had none."
    )
    titles = [context.naming.short_title(metric) for metric, _better in _DECIDE]
    words = (Column(_("beside"), align="left"), Column(_("worth"), align="left"))
    columns = (*words, *map(Column, titles))
    caption = _("Worth of each tuning, beside the unchanged server")
    return [paragraph(said), Table(caption, (_("tuning"), _("server")), columns, groups)]


def _group(context: Context, top: CellTable, tuning: Tuning) -> RowGroup | None:
    """The tuned servers of a tuning; None without them or without the unchanged one."""
    untuned = top.cell(tuning.untuned)
    tuned = [one for name in tuning.tuned if (one := top.cell(name)) is not None]
    if untuned is None or not tuned:
        return None
    rows = tuple(_row(context, one, untuned) for one in tuned)
    return RowGroup(rows, Head(context.words.gettext(tuning.title)))


def _row(context: Context, tuned: Cell, untuned: Cell) -> Row:
    told = [_judged(context, tuned, untuned, *one) for one in _DECIDE]
    whole = _in_all([effect for effect, _shown in told])
    badge = Badge(context.words.gettext(whole.value), _TONES.get(whole, "neutral"))
    beside = cell(context.name(untuned.contender))
    cells = (beside, WordsCell((), badge), *(shown for _effect, shown in told))
    return Row(Head(context.name(tuned.contender)), cells)


def _judged(
    context: Context, tuned: Cell, untuned: Cell, metric: str, better: RatioBand
) -> tuple[Effect, Plain]:
    """The effect on a figure, and the ratio or the two counts that show it."""
    for one in (tuned, untuned):
        if (why := claims.unfit(context, one, metric)) is not None:
            return Effect.OPEN, Absent(f"{context.name(one.contender)}: {why}")
    own, base = tuned.metrics[metric], untuned.metrics[metric]
    apart, counted = ratio(own, base), own.unit == "count"
    effect = _OF_STANDING.get(compared(own, base, better), Effect.OPEN)
    if counted and _begins(own, base):
        effect = Effect.COSTS
    if counted:
        said = f"{claims.shown(own)} : {claims.shown(base)}"
    elif apart is not None:
        said = ratio_words(apart)
    else:
        return effect, Absent(context.words.gettext("no interval"))
    return effect, cell(said)


def _begins(own: Metric, base: Metric) -> bool:
    """Whether messages are lost or out of order where with the unchanged server none was.

    These counts are exact, so that one trial with some is enough; nothing has a ratio to zero.
    """
    known = min(trials_of(own), trials_of(base)) >= TRIALS
    return known and base.value == 0 and (own.value or 0) > 0


def _in_all(effects: Sequence[Effect]) -> Effect:
    """The effect of a tuning, of its effects on each figure."""
    helps, costs = Effect.HELPS in effects, Effect.COSTS in effects
    if helps or costs:
        return Effect.BOTH if helps and costs else Effect.HELPS if helps else Effect.COSTS
    return Effect.OPEN if Effect.OPEN in effects else Effect.NONE
