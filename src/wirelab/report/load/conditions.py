"""The conditions of a load as a report lists them, and the words that all loads share."""

from __future__ import annotations

from wirelab.model.parts import Operation
from wirelab.report.context import Context

Rows = dict[str, tuple[str, str]]
"""Label and value of conditions, by the key a study uses for the same."""


def how_often(context: Context, operation: Operation) -> str:
    """The ticks of a lane at which an operation is due."""
    _ = context.words.gettext
    if operation.every == 1:
        return _("every tick")
    return _("every {n} ticks").format(n=operation.every)
