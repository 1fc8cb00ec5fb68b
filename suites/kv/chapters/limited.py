"""Serving by an application that has a part of the machine, as the study's pods have."""

from __future__ import annotations

from wirelab.report.api import (
    N_,
    CellTable,
    Context,
    FigureColumn,
    Head,
    Row,
    RowGroup,
    Section,
    paragraph,
    steps,
)

_SCENARIO = "serving-limits"
_VARIANTS = ("whole", "processor-100", "processor-50", "processor-25", "memory-8", "memory-4")
_FIGURES = {
    "request.response.p50": N_("response, p50, ms"),
    "request.response.p95": N_("response, p95, ms"),
    "request.error.count": N_("errors"),
    "cpu.mean": N_("CPU of the app, %"),
    "rss.max": N_("RSS of the app, MB"),
}


def sections(context: Context) -> list[Section]:
    """None where the scenario was not run."""
    tables = [t for one in _VARIANTS if (t := CellTable.of(context, _SCENARIO, variant=one))]
    if not tables:
        return []
    _ = context.words.gettext
    said = _(
        "The study's pods have 8 and 4 GiB of memory; how many processors they have is not said. "
        "Here the kernel gives the application alone no more than what stands above each column, "
        "at ten requests a second on one connection; a request that is due waits for the one "
        "before it, and its time counts from when it was due. A share of a processor is so much of "
        "every 100 ms, as containers are limited: who has used it up stands still until the next "
        "100 ms begin. The server and the generator have no limit."
    )
    names = [n for n in context.contenders if any(n in table.contenders for table in tables)]
    groups = [
        RowGroup(
            tuple(
                Row(
                    Head(_(title)),
                    tuple(table.shown(name, "", FigureColumn(metric)) for table in tables),
                )
                for metric, title in _FIGURES.items()
            ),
            Head(context.name(name)),
        )
        for name in names
    ]
    titles = [_given(context, table) for table in tables]
    title = _("Serving with a part of the machine")
    sheet = steps.sheet(context, title, titles, groups)
    return [Section(title, "serving-limits", (paragraph(said), sheet))]


def _given(context: Context, table: CellTable) -> str:
    return table.scenario.variants[table.variant].title.of(context.language)
