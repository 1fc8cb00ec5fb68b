"""Runtimes of the clients: what this run knows of them that the study did not."""

from __future__ import annotations

from wirelab.report.api import CellTable, Context, series


def state(context: Context, s7: CellTable) -> str:
    """The state of the study's limit, in this run."""
    return f"{_pauses(context, s7)}; {_sampled(context)}"


def _pauses(context: Context, s7: CellTable) -> str:
    """The clients whose runtimes tell of their collector."""
    _ = context.words.gettext
    collected = [
        context.name(cell.contender)
        for cell in s7.cells
        if (pauses := cell.metrics.get("gc.pause.total")) is not None and pauses.value is not None
    ]
    if not collected:
        return _("no runtime reported GC pauses")
    return _("GC pauses are collected from: {names}").format(names=series(collected))


def _sampled(context: Context) -> str:
    """Whether the processor time of a client was sampled, which the study advises."""
    _ = context.words.gettext
    if any(cell.stacks is not None for cell in context.cells):
        return _("processor time sampled by function: {section}").format(
            section=_("Where processor time goes")
        )
    return _("processor time by function: ./wl run opcua --scenario processor-time")
