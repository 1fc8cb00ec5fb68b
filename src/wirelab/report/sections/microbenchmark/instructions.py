"""Instructions of an iteration, where they were counted: beside times, never ranked with them."""

from __future__ import annotations

from wirelab.model.participant import Barred
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import (
    Block,
    Callout,
    Command,
    Paragraph,
    Section,
    marked,
    plain,
)
from wirelab.report.microbenchmark import plain_table, scenarios
from wirelab.report.tabulate import FigureColumn
from wirelab.words.series import series

_COUNT, _SPREAD, _TIME = "instructions", "instructions.spread", "time"


def sections(context: Context) -> list[Section]:
    """A section for each scenario of which there are counts, or reasons why there are none."""
    counted = [name for name, s in context.result.scenarios.items() if s.counts_instructions]
    by_name = {found.scenario_name: found for found in scenarios(context)}
    timed = next(
        (f for f in by_name.values() if f.scenario.rankings and not f.scenario.counts_instructions),
        None,
    )
    told = (_section(context, name, by_name.get(name), timed) for name in counted)
    return [section for section in told if section is not None]


def _section(
    context: Context, name: str, found: CellTable | None, timed: CellTable | None
) -> Section | None:
    """A part a language, and who has no counts and why; None where there is nothing to tell."""
    parts = [
        Section(language, f"{name}-{at}", blocks)
        for at, language in enumerate(found.languages if found else ())
        if found and (blocks := tuple(_of_language(context, found, language, timed)))
    ]
    told = (*parts, *_barred(context, name))
    if not told:
        return None
    heading = context.result.scenarios[name].title.of(context.language)
    return Section(heading, f"instructions-{name}", (Paragraph(marked(_reading(context))), *told))


def _reading(context: Context) -> str:
    _ = context.words.gettext
    return _(
        "Counted with valgrind's callgrind: a figure is the difference of the instructions that "
        "two fresh processes executed, divided by the difference of their iterations, so that "
        "start-up and everything outside of the loop fall away. A count repeats where a time "
        "does not and tells how much work is done; it knows nothing of caches, of branches that "
        "were guessed wrong or of instructions that wait for each other. Counts are ranked with "
        "nothing, and counts of different languages or modes are of different work."
    )


def _of_language(
    context: Context, found: CellTable, language: str, timed: CellTable | None
) -> list[Block]:
    """Counts, how far the repeats lie apart, and the times of the same operation."""
    names = [n for n in found.contenders if context.language_of(n) == language]
    blocks: list[Block] = []
    for operation in found.scenario.operations:
        counted = f"{operation}.{_COUNT}"
        if not any(counted in cell.metrics for cell in found.cells):
            continue
        tables = [(found, counted), (found, f"{operation}.{_SPREAD}")]
        if timed is not None and operation in timed.scenario.operations:
            tables.append((timed, f"{operation}.{_TIME}"))
        blocks += [
            plain_table(of, names, context.naming.title(metric), FigureColumn(metric))
            for of, metric in tables
        ]
    return blocks


def _barred(context: Context, name: str) -> list[Block]:
    """Contenders without counts, together where the reason is the same."""
    _ = context.words.gettext
    groups: dict[Barred, list[str]] = {}
    for contender in context.contenders:
        found = context.participant(contender)
        if not found.manifest.reference and (barred := found.barred.get(name)) is not None:
            groups.setdefault(barred, []).append(context.name(contender))
    blocks: list[Block] = []
    for barred, names in groups.items():
        inside: list[Block] = [
            Paragraph(plain(barred.reason.of(context.language))),
            Paragraph(plain(series(names))),
        ]
        if remedy := barred.remedy.of(context.language):
            inside.append(Command(remedy))
        blocks.append(Callout("neutral", _("Instructions not offered"), tuple(inside)))
    return blocks
