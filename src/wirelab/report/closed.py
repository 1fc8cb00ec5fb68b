"""A scenario in a closed loop as a report looks at it: who is compared, step by step."""

from __future__ import annotations

from collections.abc import Iterable

from wirelab.model import rankings
from wirelab.model.result import Cell
from wirelab.model.scenario import Scenario
from wirelab.report.cell_table import CellTable, comparisons_of
from wirelab.report.context import Context, value_of
from wirelab.report.tabulate import FigureColumn
from wirelab.words import numbers

ELAPSED = rankings.ELAPSED.metric


def told_by(scenario: Scenario) -> str:
    """The metric that tells steps apart: the time that they took, where a scenario ranks it or
    ranks nothing; else the first ranked one of which less is better.

    The steps of a ramp take the time that they are given.
    """
    ranked = [ranking.metric for ranking in scenario.rankings if ranking.better == "lower"]
    if ELAPSED not in ranked:
        return ranked[0] if ranked else ELAPSED
    others = [metric for metric in ranked if metric != ELAPSED]
    return others[0] if scenario.is_ramp and others else ELAPSED


def in_milliseconds(cells: Iterable[Cell], metric: str) -> bool:
    """Whether times of steps are shown in ms: the fastest one takes less than a second."""
    known = [value for cell in cells if (value := value_of(cell, metric)) is not None]
    return metric == ELAPSED and bool(known) and numbers.is_short(min(known), "s")


def told_column(parts: CellTable) -> FigureColumn:
    """The column that tells the steps of a table apart."""
    metric = told_by(parts.scenario)
    cells = [cell for part in parts.by_step for cell in part.cells]
    if in_milliseconds(cells, metric):
        return FigureColumn(metric, unit="ms", factor=1e3)
    return FigureColumn(metric)


def groups(context: Context) -> list[CellTable]:
    """The steps of every closed loop, apart by mode, language (where it parts them), generator."""
    found: dict[tuple[str, ...], list[Cell]] = {}
    for one in comparisons_of(context):
        if not one.scenario.is_scheduled:
            like = (one.scenario_name, one.mode, one.language, one.generator)
            found.setdefault(like, []).extend(one.cells)
    tables = (CellTable(context, tuple(cells)) for cells in found.values())
    return [table for table in tables if table.steps]


def title(table: CellTable) -> str:
    """The scenario, and what parts its groups."""
    return " · ".join(titles(table))


def titles(table: CellTable) -> list[str]:
    """The names that the title is made of."""
    context = table.context
    names = [table.scenario.title.of(context.language), table.language, table.mode_title]
    if table.generator:
        names.append(context.generator(table.generator))
    return [name for name in names if name]
