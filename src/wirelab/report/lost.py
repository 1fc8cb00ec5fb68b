"""Trials that the host took, in sentences: whose, and how many others stand in the place of."""

from __future__ import annotations

from wirelab.report.context import Context
from wirelab.report.document import Text, text
from wirelab.words.series import series

_MOST = 6
"""Contenders named, those that lost most."""


def lost_trials(context: Context) -> Text:
    """Count each contender's lost trials; empty for a run that lost none."""
    found = context.result.lost
    if not found:
        return ()
    _, ngettext = context.words.gettext, context.words.ngettext
    some = sorted((one for one in found if one.lost), key=lambda one: -one.lost)
    each = "; ".join(
        _("{contender}: {lost} of {trials}").format(
            contender=context.name(one.contender), lost=one.lost, trials=one.trials
        )
        for one in some[:_MOST]
    )
    if (more_of_them := len(some) - _MOST) > 0:
        each = ngettext(
            "{named}; {n} more contender", "{named}; {n} more contenders", more_of_them
        ).format(named=each, n=more_of_them)
    said = text(
        _("Other programs disturbed trials for most of their time (lost trials): {each}."),
        each=each,
    )
    if gone := sum(one.set_aside for one in found):
        said += text(
            _(" Lost trials that others replace, and that are in no figure: {gone}."), gone=gone
        )
    else:
        said += text(_(" None of them was replaced, so they are in the figures."))
    if more := [context.name(one.contender) for one in found if one.more_often]:
        said += text(
            _(
                " **{names}: more trials were lost than of the others of the same blocks.** The "
                "figures that remain may flatter."
            ),
            names=series(more),
        )
    return said
