"""What ended a run that adds blocks until its ratios are known closely enough, in sentences."""

from __future__ import annotations

from wirelab.model.until import StoppedBy, TableWidth, Until
from wirelab.report.context import Context
from wirelab.report.document import Text, text
from wirelab.words import numbers

_MOST_TABLES = 5
"""Named of those that are known least closely."""


def stopped(context: Context) -> Text:
    """By what the run was stopped, and what is not known as closely as was asked for; nothing for
    a run without such a rule."""
    until = context.result.until
    if until is None:
        return ()
    return _ended(context, until) + _too_wide(context, until) + _without(context)


def _ended(context: Context, until: Until) -> Text:
    _ = context.words.gettext
    told = {
        StoppedBy.NARROW: _(
            "Blocks were added until each ratio to the baseline was known within {width}, which "
            "they are after {blocks} blocks (intervals of 96 %)."
        ),
        StoppedBy.TIME: _(
            "Blocks were added for the {time} that were allowed (blocks: {blocks}); that each "
            "ratio to the baseline is known within {width} was asked for."
        ),
        StoppedBy.BLOCKS: _(
            "Blocks were added until the last look, after {blocks} blocks; that each ratio to the "
            "baseline is known within {width} was asked for."
        ),
        StoppedBy.NO_RATIO: _(
            "No more than {blocks} blocks were measured: no table has two contenders whose figures "
            "have a ratio."
        ),
        None: _(
            "The run has not ended: blocks are added until each ratio to the baseline is known "
            "within {width} (blocks so far: {blocks})."
        ),
    }
    return text(
        told[until.stopped_by],
        width=numbers.percent(until.width),
        time=numbers.duration(until.at_most_ns),
        blocks=_blocks(context.result.widths),
    )


def _blocks(widths: list[TableWidth]) -> str:
    """``12``, or ``8–12`` where scenarios have different numbers."""
    numbers_of = sorted({width.blocks for width in widths}) or [0]
    return "–".join(str(n) for n in dict.fromkeys((numbers_of[0], numbers_of[-1])))


def _too_wide(context: Context, until: Until) -> Text:
    _ = context.words.gettext
    wide = [(w.reach, w) for w in context.result.widths if w.reach and not w.is_narrow(until)]
    if not wide:
        return ()
    wide.sort(key=lambda one: -one[0])
    each = "; ".join(
        _("{contender} / {baseline} within {reach} ({place})").format(
            contender=context.name(width.contender),
            baseline=context.name(width.baseline),
            reach=numbers.percent(reach),
            place=width.place,
        )
        for reach, width in wide[:_MOST_TABLES]
    )
    if len(wide) > _MOST_TABLES:
        each = _("{tables}; {n} more tables").format(tables=each, n=len(wide) - _MOST_TABLES)
    return text(_(" Known less closely: {tables}."), tables=each)


def _without(context: Context) -> Text:
    _ = context.words.gettext
    missing = [
        f"{context.name(name)} ({width.place})"
        for width in context.result.widths
        for name in width.without
    ]
    if not missing:
        return ()
    shown = ", ".join(missing[:_MOST_TABLES])
    if len(missing) > _MOST_TABLES:
        shown = _("{tables}; {n} more tables").format(tables=shown, n=len(missing) - _MOST_TABLES)
    return text(_(" Without a ratio, and waited for by nobody: {names}."), names=shown)
