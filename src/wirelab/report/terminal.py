"""The comparison on a terminal: an aligned table, verdicts with their reasons, what to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rich import box
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from wirelab.model.result import Cell, Result, Series
from wirelab.model.scenario import Kind
from wirelab.report import (
    remarks,
    terminal_capacity,
    terminal_closed,
    terminal_findings,
    terminal_microbenchmark,
    terminal_wire,
    until,
)
from wirelab.report.cell_table import CellTable, comparisons_of
from wirelab.report.closed import groups
from wirelab.report.context import Context
from wirelab.report.disturbed import time_left_out
from wirelab.report.document import Absent, Figure, Plain, words_of
from wirelab.report.lost import lost_trials
from wirelab.report.sections.overview import key_metrics
from wirelab.report.tabulate import DASH, FigureColumn, measured, unit_of, verdict_badge
from wirelab.report.terminal_findings import STYLES, FindingsLine
from wirelab.report.terminal_parts import FirstThatFits, Title, with_choices
from wirelab.report.underway import is_underway, told
from wirelab.report.units import in_words
from wirelab.words.translation import words

_MOST_ACROSS = 6


def summary(result: Result, console: Console, language: str = "en") -> None:
    """Print the comparison of every scenario with figures, and what the checks found."""
    context = Context(result, Series(cells={}), words(language))
    _print(console, *_comparisons(context, _with_words), *_faults(context))
    _print(console, *terminal_findings.at_length(context), *terminal_findings.unavailable(context))


def outcome(
    result: Result, console: Console, language: str = "en", suite: Path | None = None
) -> None:
    """Print the end of a run: the tables, who is missing, and one line of what to bear in mind.

    ``suite`` is its folder, which has words for its operations.
    """
    context = _context(result, language, suite)
    _print(console, *_faults(context), *_comparisons(context, _with_key))
    missing = [n for n in context.contenders if context.participant(n).unavailable]
    if missing:
        said = context.words.gettext("unavailable")
        console.print(Text(f"{said}: {context.names(missing)}", style="yellow"))
    if ended := until.stopped(context):
        console.print(Text(words_of(ended)))
    if left_out := time_left_out(context):
        console.print(Text(words_of(left_out)))
    if gone := lost_trials(context):
        console.print(Text(words_of(gone)))
    _print(console, FindingsLine(context))


def so_far(
    result: Result, language: str = "en", suite: Path | None = None
) -> RenderableType | None:
    """The table of the first comparison alone, for a run that still goes on."""
    context = _context(result, language, suite)
    comparisons = _told(context)
    if comparisons:
        return _table(context, comparisons[0])
    return terminal_closed.so_far(context) or terminal_microbenchmark.so_far(context)


def _context(result: Result, language: str, suite: Path | None) -> Context:
    own = words(language, suite / "locale" if suite else None)
    return Context(in_words(result, own), Series(cells={}), own)


def _print(console: Console, *rendered: RenderableType) -> None:
    for one in rendered:
        console.print(one)


def _comparisons(
    context: Context, shown: Callable[[Context, CellTable], RenderableType]
) -> Iterator[RenderableType]:
    yield from (shown(context, comparison) for comparison in _told(context))
    yield from terminal_closed.tables(context)
    yield from terminal_microbenchmark.tables(context)
    if any(comparison.nothing_apart for comparison in comparisons_of(context)):
        said = context.words.gettext("one trial: nothing can be told apart")
        yield Text(f"  {said}", style="yellow")
    yield from terminal_capacity.tables(context)


def _told(context: Context) -> list[CellTable]:
    """The comparisons to print: of a scenario with steps each step, for the whole of it mixes
    unlike loads. Steps of closed loops have a table of their own."""
    closed = {parts.scenario_name for parts in groups(context)}
    found = [c for c in comparisons_of(context) if c.scenario_name not in closed]
    stepped = {comparison.scenario_name for comparison in found if comparison.step}
    return with_choices([c for c in found if c.step or c.scenario_name not in stepped])


def _with_words(context: Context, comparison: CellTable) -> RenderableType:
    """The table, and in words who is best in what."""
    lines: list[RenderableType] = [_table(context, comparison)]
    for name in [] if is_underway(comparison.cells) else _metrics(comparison):
        if said := remarks.lead(context, comparison, name):
            lines.append(Text(f"  {words_of(said)}"))
    return Group(*lines, _key(context, comparison), *terminal_wire.tables(context, comparison))


def _with_key(context: Context, comparison: CellTable) -> RenderableType:
    """The table, and the meaning of its marks."""
    return Group(_table(context, comparison), _key(context, comparison))


def _key(context: Context, comparison: CellTable) -> Text:
    _ = context.words.gettext
    if is_underway(comparison.cells):
        return Text(_("  Trials are still to come: nobody is ranked yet."), style="dim")
    said = _("  ★ best; shared by those not told apart. [ ] 95 % interval.")
    return Text(said, style="dim")


def _metrics(comparison: CellTable) -> list[str]:
    return [
        name for name in key_metrics(comparison) if any(name in c.metrics for c in comparison.cells)
    ]


def _table(context: Context, comparison: CellTable) -> RenderableType:
    """Metrics down, contenders across; contenders down where that is too wide."""
    names = [
        context.result.suite_title.of(context.language),
        comparison.scenario.title.of(context.language),
        context.result.profile,
    ]
    if variant := comparison.scenario.variants.get(comparison.variant):
        names.append(variant.title.of(context.language))
    if comparison.step in comparison.scenario.steps:
        names.append(comparison.scenario.steps[comparison.step].title.of(context.language))
    if comparison.generator:
        names.append(context.generator(comparison.generator))
    return Group(Title(names), FirstThatFits(_tables(context, comparison)))


def _tables(context: Context, comparison: CellTable) -> list[Table]:
    """The table in every shape, the best first: names on one line, then all figures, then a few."""
    metrics_shown = _metrics(comparison)
    down = [
        _contenders_down(context, comparison, metrics_shown[:most])
        for most in range(len(metrics_shown), 0, -1)
    ] or [_contenders_down(context, comparison, [])]
    if len(comparison.cells) > _MOST_ACROSS:
        return down
    whole = _contenders_across(context, comparison, whole_names=True)
    return [whole, down[0], _contenders_across(context, comparison), *down[1:]]


def _contenders_across(
    context: Context, comparison: CellTable, *, whole_names: bool = False
) -> Table:
    drawn = _empty()
    drawn.add_column("")
    for cell in comparison.cells:
        name = context.name(cell.contender)
        width = cell_len(name) if whole_names else None
        drawn.add_column(Text(name), justify="right", min_width=width)
    drawn.add_row(
        _state(context, comparison), *(_standing(context, comparison, c) for c in comparison.cells)
    )
    for name in _metrics(comparison):
        figures = (_figure(context, comparison, cell, name) for cell in comparison.cells)
        drawn.add_row(_heading(context, comparison, name), *map(_shown, figures))
    return drawn


def _contenders_down(context: Context, comparison: CellTable, names: Sequence[str]) -> Table:
    """A line a contender, without intervals: with many of them columns no longer fit."""
    drawn = _empty()
    drawn.padding = (0, 1, 0, 0)
    titles = [context.name(cell.contender) for cell in comparison.cells]
    drawn.add_column("", min_width=max(map(cell_len, titles)))
    drawn.add_column(_state(context, comparison))
    columns = [
        [
            _shown(_without_interval(_figure(context, comparison, cell, name)))
            for cell in comparison.cells
        ]
        for name in names
    ]
    for name, column in zip(names, columns, strict=True):
        heading = _heading(context, comparison, name)
        width = max(map(cell_len, [*heading.plain.split(), *(text.plain for text in column)]))
        drawn.add_column(heading, justify="right", min_width=width)
    for place, cell in enumerate(comparison.cells):
        drawn.add_row(
            Text(titles[place]),
            _standing(context, comparison, cell),
            *(column[place] for column in columns),
        )
    if len(names) < (every := len(_metrics(comparison))):
        said = context.words.gettext("… and {n} more, in the report")
        drawn.caption = Text(said.format(n=every - len(names)), style="dim")
        drawn.caption_justify = "left"
    return drawn


def _state(context: Context, comparison: CellTable) -> str:
    _ = context.words.gettext
    return _("trials") if is_underway(comparison.cells) else _("verdict")


def _standing(context: Context, comparison: CellTable, cell: Cell) -> Text:
    """The verdict of a cell; its trials done and planned before all of them are."""
    if is_underway(comparison.cells):
        return Text(told(cell))
    badge = verdict_badge(cell.verdict, context.words)
    return Text(badge.label, style=STYLES[badge.tone])


def _heading(context: Context, comparison: CellTable, name: str) -> Text:
    unit = unit_of(comparison.cells, FigureColumn(name))
    heading = context.naming.short_title(name)
    return Text(f"{heading} ({unit})" if unit else heading)


def _figure(context: Context, comparison: CellTable, cell: Cell, name: str) -> Plain:
    """A figure with its star; neither praised nor doubted before all trials are run."""
    figure = measured(context, cell, FigureColumn(name), star=True)
    if not is_underway(comparison.cells):
        return figure
    if isinstance(figure, Figure):
        return replace(figure, star=False, tentative=False)
    return Absent(DASH)


def _without_interval(figure: Plain) -> Plain:
    return replace(figure, interval="") if isinstance(figure, Figure) else figure


def _empty() -> Table:
    return Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)


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


def _faults(context: Context) -> list[RenderableType]:
    """Callers' views, in a word each."""
    from wirelab.report.sections.errors import fault_title, outcome_word

    _ = context.words.gettext
    comparisons = comparisons_of(context, Kind.FAULTS)
    if not comparisons:
        return []
    seen = {c.contender for comparison in comparisons for c in comparison.cells}
    names = [name for name in context.contenders if name in seen]
    across, down = _empty(), _empty()
    across.add_column(_("fault"))
    for name in names:
        across.add_column(Text(context.name(name)))
    for heading in (_("fault"), _("contender"), ""):
        down.add_column(heading)
    for comparison in comparisons:
        fault = fault_title(comparison)
        words = [outcome_word(context, comparison.cell(name)) for name in names]
        across.add_row(Text(fault), *map(Text, words))
        for place, (name, word) in enumerate(zip(names, words, strict=True)):
            down.add_row(Text("" if place else fault), Text(context.name(name)), Text(word))
    title = Title([comparisons[0].scenario.title.of(context.language)])
    return [title, FirstThatFits([across, down])]
