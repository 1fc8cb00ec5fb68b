"""The end of a run that adds blocks until its ratios are known closely enough, in sentences."""

from __future__ import annotations

from wirelab.model.until import StoppedBy, TableWidth, Until
from wirelab.report.context import Context
from wirelab.report.document import Text, text
from wirelab.words import numbers

_MOST_NAMED = 5
"""Most names of tables that are known least closely, and of contenders without a ratio."""


def stopped(context: Context) -> Text:
    """The end of the run, and what is not known as closely as was asked for; nothing for a run
    without such a rule."""
    until = context.result.until
    if until is None:
        return ()
    return _ended(context, until) + _too_wide(context, until) + _without(context)


def _ended(context: Context, until: Until) -> Text:
    _ = context.words.gettext
    told = {
        StoppedBy.NARROW: _(
            "The run ended after {blocks} blocks, when each ratio to the baseline was known within "
            "{width} (intervals of 96 %)."
        ),
        StoppedBy.TIME: _(
            "The run ended when its time of {time} was up (blocks: {blocks}); each ratio to the "
            "baseline was to be known within {width}."
        ),
        StoppedBy.BLOCKS: _(
            "The run ended at the last look, after {blocks} blocks; each ratio to the baseline was "
            "to be known within {width}."
        ),
        StoppedBy.NO_RATIO: _(
            "The run ended after {blocks} blocks: in no table do two contenders have figures with "
            "a ratio."
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
        for reach, width in wide[:_MOST_NAMED]
    )
    if len(wide) > _MOST_NAMED:
        each = _("{tables}; {n} more").format(tables=each, n=len(wide) - _MOST_NAMED)
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
    shown = "; ".join(missing[:_MOST_NAMED])
    if len(missing) > _MOST_NAMED:
        shown = _("{tables}; {n} more").format(tables=shown, n=len(missing) - _MOST_NAMED)
    return text(_(" Without a ratio, and not waited for: {names}."), names=shown)
