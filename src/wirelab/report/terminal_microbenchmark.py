"""Microbenchmarks on a terminal: a table a language, contenders down, steps across."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from wirelab.model.result import Verdict
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.microbenchmark import scenarios
from wirelab.report.tabulate import DASH, FigureColumn, why_absent
from wirelab.report.terminal_parts import Title
from wirelab.report.underway import is_underway, told
from wirelab.words import numbers

_MICROSECONDS_FROM = 1_000.0
"""A column whose smallest figure has as many nanoseconds is shown in µs."""


def tables(context: Context) -> list[RenderableType]:
    """Tables of every ranked microbenchmark, by its first ranked metric."""
    return [_told(context, found) for found in scenarios(context) if found.scenario.rankings]


def so_far(context: Context) -> RenderableType | None:
    """The first language of the first such scenario, for a run that still goes on."""
    for found in scenarios(context):
        for language in found.languages if found.scenario.rankings else ():
            if found.peers_of(language):
                return Group(_title(context, found, language), _table(context, found, language))
    return None


def _told(context: Context, found: CellTable) -> RenderableType:
    _ = context.words.gettext
    lines: list[RenderableType] = []
    for language in found.languages:
        if found.peers_of(language):
            lines.append(_title(context, found, language))
            lines.append(_table(context, found, language))
    if is_underway(found.cells):
        said = _("  Trials are still to come: nobody is ranked yet.")
        return Group(*lines, Text(said, style="dim"))
    said = (
        _("  One process a contender: no interval, no ranks. Nothing here is a comparison.")
        if found.trials < 2
        else _("  #1 best of its language and mode; = shared: not told apart.")
    )
    return Group(*lines, Text(said, style="dim"))


def _table(context: Context, found: CellTable, language: str) -> Table:
    """Contenders by mode, the fastest first; their times with ranks."""
    metric = found.scenario.rankings[0].metric
    groups = found.peers_of(language)
    names = [name for group in groups for name in group.contenders]
    drawn = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    titles = [context.title(name) for name in names]
    longest = max((len(word) for title in titles for word in title.split()), default=0)
    drawn.add_column("", min_width=min(longest, 14), max_width=24, overflow="fold")
    underway = is_underway(found.among(names).cells)
    if underway:
        drawn.add_column(context.words.gettext("trials"))
    units = [_unit(found, names, step, metric) for step in found.steps]
    for step, (_factor, unit) in zip(found.steps, units, strict=True):
        drawn.add_column(Text(f"{step}\n{unit}"), justify="right", min_width=len(step))
    for group in groups:
        if group.mode and len(groups) > 1:
            drawn.add_row(Text(group.mode_title, style="italic dim"))
        ordered = group.contenders if underway else _fastest_first(found, group, metric)
        for name in ordered:
            column = partial(FigureColumn, metric)
            shown = [
                _shown(group.at(step), name, column(factor=factor), underway=underway)
                for step, (factor, _unit) in zip(found.steps, units, strict=True)
            ]
            done = [Text(_done(found, name))] if underway else []
            drawn.add_row(Text(context.title(name)), *done, *shown)
    return drawn


def _title(context: Context, found: CellTable, language: str) -> Title:
    metric = found.scenario.rankings[0].metric
    names = [
        context.result.suite_title.of(context.language),
        found.scenario.title.of(context.language),
        context.result.profile,
        context.naming.title(metric),
        language,
    ]
    return Title(names)


def _unit(found: CellTable, names: Sequence[str], step: str, metric: str) -> tuple[float, str]:
    known = [v for name in names if (v := found.value(name, step, metric)) is not None]
    if known and min(known) >= _MICROSECONDS_FROM:
        return 1e-3, "µs"
    return 1.0, "ns"


def _fastest_first(found: CellTable, group: CellTable, metric: str) -> list[str]:
    """By the sum of their places in every column."""

    def place(name: str) -> tuple[float, str]:
        total = 0.0
        for step in found.steps:
            own = found.value(name, step, metric)
            others = [found.value(other, step, metric) for other in group.contenders]
            known = [value for value in others if value is not None]
            total += len(known) if own is None else sum(value < own for value in known)
        return total, name

    return sorted(group.contenders, key=place)


def _done(found: CellTable, name: str) -> str:
    """Trials done of those planned; all steps share them."""
    return next(map(told, found.among([name]).cells), DASH)


def _shown(part: CellTable, name: str, column: FigureColumn, *, underway: bool) -> Text:
    """``18.2 #1=``; in parentheses where the cell is invalid. Without a judgement while
    ``underway``."""
    cell = part.cell(name)
    if cell is None:
        return Text(DASH, style="dim")
    figure = cell.metrics.get(column.metric)
    if figure is None or figure.value is None:
        if underway:
            return Text(DASH, style="dim")
        return Text(
            why_absent(figure.unsupported if figure else None, part.context.words), style="dim"
        )
    shown = numbers.brief(figure.value * column.factor, digits=3)
    if underway:
        return Text(shown)
    if figure.verdict is Verdict.INVALID:
        return Text(f"({shown})", style="red")
    # One process each leaves everybody level: then there is no rank to be shown.
    rank = "" if len(cell.trials) < 2 else part.rank(cell, column.metric)
    first = rank in ("1", "1=")
    drawn = Text(shown, style="bold" if first else "")
    drawn.append(f" #{rank}" if rank else "", style="yellow" if first else "dim")
    return drawn
