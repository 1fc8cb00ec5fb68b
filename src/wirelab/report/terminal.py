"""The comparison on a terminal: an aligned table, verdicts with their reasons, what to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from wirelab.model.result import Cell, Finding, Result, Series, Verdict
from wirelab.report import metrics, remarks, terminal_batches, terminal_capacity, terminal_closed
from wirelab.report.closed import groups
from wirelab.report.context import Comparison, Context, nothing_apart
from wirelab.report.document import Absent, Figure, Plain, words_of
from wirelab.report.evidence import evidence_lines
from wirelab.report.findings import title_of, wording_of
from wirelab.report.sections.overview import key_metrics
from wirelab.report.sections.validity import by_gate, place_of, told_once
from wirelab.report.tabulate import FigureColumn, measured, unit_of, verdict_badge
from wirelab.report.wording import words

_STYLES = {"good": "green", "warn": "yellow", "bad": "bold red", "neutral": ""}
_MOST_LINES = 6
_MOST_ACROSS = 6


def summary(result: Result, console: Console, language: str = "en") -> None:
    """Print the comparison of every scenario with figures, and what the checks found."""
    context = Context(result, Series(cells={}), words(language))
    for comparison in _told(context):
        console.print(_comparison(context, comparison))
    for table in (*terminal_closed.tables(context), *terminal_batches.tables(context)):
        console.print(table)
    if any(nothing_apart(comparison) for comparison in context.comparisons()):
        said = context.words.gettext("one trial: nothing can be told apart")
        console.print(Text(f"  {said}", style="yellow"))
    for table in terminal_capacity.tables(context):
        console.print(table)
    for rendered in (_faults(context), *_findings(context), *_unavailable(context)):
        if rendered is not None:
            console.print(rendered)


def so_far(result: Result, language: str = "en") -> Table | None:
    """The table of the first comparison alone, for a run that still goes on."""
    context = Context(result, Series(cells={}), words(language))
    comparisons = _told(context)
    if comparisons:
        return _table(context, comparisons[0])
    return terminal_closed.so_far(context) or terminal_batches.so_far(context)


def _told(context: Context) -> list[Comparison]:
    """The comparisons to print: of a scenario with steps each step, for the whole of it mixes
    unlike loads. Steps of closed loops have a table of their own."""
    closed = {parts.scenario_name for parts in groups(context)}
    found = [c for c in context.comparisons() if c.scenario_name not in closed]
    stepped = {comparison.scenario_name for comparison in found if comparison.step}
    return [c for c in found if c.step or c.scenario_name not in stepped]


def _comparison(context: Context, comparison: Comparison) -> RenderableType:
    _ = context.words.gettext
    lines: list[RenderableType] = [_table(context, comparison)]
    for name in _metrics(comparison):
        if said := remarks.lead(context, comparison, name):
            lines.append(Text(f"  {words_of(said)}"))
    lines.append(
        Text(_("  ★ best; shared where the intervals do not part. [ ] 95 % interval."), style="dim")
    )
    return Group(*lines)


def _metrics(comparison: Comparison) -> list[str]:
    return [
        name for name in key_metrics(comparison) if any(name in c.metrics for c in comparison.cells)
    ]


def _table(context: Context, comparison: Comparison) -> Table:
    """Metrics down, contenders across: it stays readable in eighty columns."""
    _ = context.words.gettext
    result = context.result
    title = f"{result.suite_title.of(context.language)} · "
    title += f"{comparison.scenario.title.of(context.language)} · {result.profile}"
    if comparison.step in comparison.scenario.steps:
        title += f" · {comparison.scenario.steps[comparison.step].title.of(context.language)}"
    if comparison.generator:
        title += f" · {context.generator(comparison.generator)}"
    if len(comparison.cells) > _MOST_ACROSS:
        return _contenders_down(context, comparison, _empty(title))
    drawn = _empty(title)
    drawn.add_column("")
    for cell in comparison.cells:
        drawn.add_column(Text(context.name(cell.contender)), justify="right")
    badges = [verdict_badge(cell.verdict, context.words) for cell in comparison.cells]
    drawn.add_row(_("verdict"), *(Text(b.label, style=_STYLES[b.tone]) for b in badges))
    for name in _metrics(comparison):
        column = FigureColumn(name)
        unit = unit_of(comparison.cells, column)
        heading = metrics.short_title(name, context.words)
        figures = (_shown(measured(context, cell, column, star=True)) for cell in comparison.cells)
        drawn.add_row(Text(f"{heading} ({unit})" if unit else heading), *figures)
    return drawn


def _contenders_down(context: Context, comparison: Comparison, drawn: Table) -> Table:
    """A line a contender: with many of them columns no longer fit."""
    _ = context.words.gettext
    drawn.add_column("")
    drawn.add_column(_("verdict"))
    names = _metrics(comparison)
    for name in names:
        unit = unit_of(comparison.cells, FigureColumn(name))
        heading = metrics.short_title(name, context.words)
        drawn.add_column(Text(f"{heading} ({unit})" if unit else heading), justify="right")
    for cell in comparison.cells:
        badge = verdict_badge(cell.verdict, context.words)
        shown = (measured(context, cell, FigureColumn(name), star=True) for name in names)
        drawn.add_row(
            Text(context.name(cell.contender)),
            Text(badge.label, style=_STYLES[badge.tone]),
            *(_shown(_without_interval(figure)) for figure in shown),
        )
    return drawn


def _without_interval(figure: Plain) -> Plain:
    return replace(figure, interval="") if isinstance(figure, Figure) else figure


def _empty(title: str) -> Table:
    return Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )


def _shown(cell: Plain) -> Text:
    """A figure with its interval."""
    match cell:
        case Figure():
            number = f"({cell.number})" if cell.tentative else cell.number
            shown = Text("★ " if cell.star else "", style="yellow")
            shown.append(number, style="dim" if cell.tentative else "bold")
            if cell.interval:
                shown.append(f" {cell.interval}", style="dim")
            return shown
        case Absent(reason):
            return Text(reason, style="dim")
        case _:
            return Text("")


def _faults(context: Context) -> Table | None:
    """What callers saw, in a word each."""
    from wirelab.report.sections.errors import outcome_word

    _ = context.words.gettext
    comparisons = context.comparisons("faults")
    if not comparisons:
        return None
    seen = {c.contender for comparison in comparisons for c in comparison.cells}
    names = [name for name in context.contenders if name in seen]
    drawn = _empty(comparisons[0].scenario.title.of(context.language))
    drawn.add_column(_("fault"))
    for name in names:
        drawn.add_column(Text(context.name(name)))
    for comparison in comparisons:
        variant = comparison.scenario.variants.get(comparison.variant)
        title = variant.title.of(context.language) if variant else comparison.variant
        by_name = {cell.contender: cell for cell in comparison.cells}
        drawn.add_row(
            Text(title), *(Text(outcome_word(context, by_name.get(name))) for name in names)
        )
    return drawn


def _findings(context: Context) -> list[RenderableType]:
    """Warnings and worse, gate by gate: where, the evidence, and the remedy."""
    return [_gate(context, gate, verdict, pairs) for gate, verdict, pairs in by_gate(context)]


def _gate(
    context: Context, gate: str, verdict: Verdict, pairs: Sequence[tuple[Cell, Finding]]
) -> Text:
    badge = verdict_badge(verdict, context.words)
    line = Text(f"{badge.label} ", style=_STYLES[badge.tone])
    line.append(f"{title_of(gate, context.words)} ({gate})", style="bold")
    said = [
        f"{_where(context, cell)}: {evidence}"
        for cell, finding in told_once(pairs)
        for evidence in evidence_lines(finding, context.words)
    ]
    for shown in said[:_MOST_LINES]:
        line.append(f"\n    {shown}", style="")
    if len(said) > _MOST_LINES:
        more = context.words.gettext("… and {n} more, in the report")
        line.append(f"\n    {more.format(n=len(said) - _MOST_LINES)}", style="dim")
    remedy = context.words.gettext(wording_of(gate).remedy).replace("`", "")
    line.append(f"\n    → {remedy}", style="dim")
    return line


def _where(context: Context, cell: Cell) -> str:
    return f"{cell.scenario} / {place_of(context, cell)}"


def _unavailable(context: Context) -> list[RenderableType]:
    _ = context.words.gettext
    rendered: list[RenderableType] = []
    for name in context.contenders:
        participant = context.participant(name)
        if participant.unavailable:
            line = Text(f"{_('unavailable')} ", style="yellow")
            line.append(f"{context.name(name)}: ", style="bold")
            line.append(participant.unavailable)
            if participant.remedy:
                line.append(f"\n    {participant.remedy}", style="cyan")
            rendered.append(line)
    return rendered
