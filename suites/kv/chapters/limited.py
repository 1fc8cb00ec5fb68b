"""Serving by an application that has a part of the machine, as the study's pods have."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.report.api import (
    N_,
    CellTable,
    Context,
    FigureColumn,
    Head,
    Row,
    RowGroup,
    Section,
    Table,
    paragraph,
    steps,
)

_ALONE, _REPLICAS = "serving-limits", "serving-replicas-limits"
_FIGURES = {
    "request.response.p50": N_("response, p50, ms"),
    "request.response.p95": N_("response, p95, ms"),
    "request.error.count": N_("errors"),
    "cpu.mean": N_("CPU of the app, %"),
    "rss.max": N_("RSS of the app, MB"),
}


def sections(context: Context) -> list[Section]:
    """A section for each of the scenarios that was run."""
    _ = context.words.gettext
    alone, replicas = (_tables(context, scenario) for scenario in (_ALONE, _REPLICAS))
    made = []
    if alone:
        title = _("Serving with a part of the machine")
        said = _(
            "The study's pods ask for 4 processors and 4 GiB each, and are limited to 8 of both. "
            "Memory is limited here as it is there, processors to less: so the limit is felt on "
            "any machine. The kernel gives the application alone no more than what stands above "
            "each column, at ten requests a second on one connection; a request that is due waits "
            "for the one before it, and its time counts from when it was due. A share of a "
            "processor is so much of every 100 ms, as containers are limited: who has used it up "
            "stands still until the next 100 ms begin. The server and the generator have no limit."
        )
        sheet = _sheet(context, title, alone)
        made.append(Section(title, "serving-limits", (paragraph(said), sheet)))
    if replicas:
        title = _("Serving by two replicas with a part of the machine each")
        said = _(
            "Two replicas of two processes behind nginx, at twenty requests a second on one "
            "connection: each replica gets ten of them, as an application alone with a part of "
            "the machine does. What stands above each column is the most that each replica has: "
            "both its processes share it. Where RSS stays far below the memory that is given, "
            "the processor alone makes the difference. Processor time and memory are those of "
            "one replica; the gateway, the server and the generator have no limit."
        )
        sheet = _sheet(context, title, replicas)
        made.append(Section(title, "serving-replicas-limits", (paragraph(said), sheet)))
    return made


def _tables(context: Context, scenario: str) -> list[CellTable]:
    """A table a variant that was run."""
    known = context.result.scenarios.get(scenario)
    variants = known.variants if known else ()
    return [t for one in variants if (t := CellTable.of(context, scenario, variant=one))]


def _sheet(context: Context, title: str, tables: Sequence[CellTable]) -> Table:
    """A column a variant."""
    _ = context.words.gettext
    names = [n for n in context.contenders if any(n in table.contenders for table in tables)]
    groups = [
        RowGroup(
            tuple(
                Row(
                    Head(_(figure)),
                    tuple(table.shown(name, "", FigureColumn(metric)) for table in tables),
                )
                for metric, figure in _FIGURES.items()
            ),
            Head(context.name(name)),
        )
        for name in names
    ]
    return steps.sheet(context, title, [_given(context, table) for table in tables], groups)


def _given(context: Context, table: CellTable) -> str:
    return table.scenario.variants[table.variant].title.of(context.language)
