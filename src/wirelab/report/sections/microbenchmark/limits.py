"""Limits of microbenchmarks: what their figures do not say."""

from __future__ import annotations

from wirelab.report.context import Context
from wirelab.report.document import Text, text


def limits(context: Context, processes: int) -> tuple[Text, ...]:
    """One machine, warm caches, one thread."""
    _, ngettext = context.words.gettext, context.words.ngettext
    return (
        text(
            ngettext(
                "**One machine, {n} included process a contender** ({profile} profile): no "
                "interval covers the variation between machines, compilers or versions.",
                "**One machine, {n} included processes a contender** ({profile} profile): no "
                "interval covers the variation between machines, compilers or versions.",
                processes,
            ),
            n=processes,
            profile=context.result.profile,
        ),
        text(
            _(
                "**Warm caches**: the same few inputs come round again and again, and code, data "
                "and branch predictors are warm. Between other work the same call takes longer."
            )
        ),
        text(
            _(
                "**One thread**: neither shared allocators nor collectors under load from other "
                "threads are in these times."
            )
        ),
    )
