"""Cells of a run by contender and step, in the order that every table of a report keeps.

Sections, charts and chapters of suites look at cells through one type: all of a scenario, or those
of a step, of a mode, of some contenders. Each selection is a table again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

from wirelab.model.parts import Operation, Step
from wirelab.model.rankings import rankings
from wirelab.model.result import Cell, Metric, Verdict
from wirelab.model.scenario import Kind, Scenario
from wirelab.report.context import Context
from wirelab.report.document import Absent, Head, Plain
from wirelab.report.tabulate import DASH, FigureColumn, measured, verdict_badge


@dataclass(frozen=True)
class CellTable:
    """Some cells of a run. A table without any is false, and has no scenario to be asked for."""

    context: Context
    cells: tuple[Cell, ...]

    @staticmethod
    def of(context: Context, *scenarios: str, variant: str = "", generator: str = "") -> CellTable:
        """The table of one scenario, or of several whose steps differ: of a variant, under a
        generator's load (by default the suite's own).
        """
        return CellTable(
            context,
            tuple(
                cell
                for cell in context.cells
                if cell.scenario in scenarios
                and (cell.variant, cell.generator) == (variant, generator)
            ),
        )

    @staticmethod
    def first_of(context: Context, *scenarios: str, variant: str = "") -> CellTable:
        """The table of the first of these scenarios that was run; an empty one without any."""
        tables = (CellTable.of(context, name, variant=variant) for name in scenarios)
        return next((table for table in tables if table), CellTable(context, ()))

    def __bool__(self) -> bool:
        return bool(self.cells)

    # ------------------------------------------------------------------- what its cells share

    @property
    def scenario_name(self) -> str:
        """The scenario; of several the first."""
        return self.cells[0].scenario

    @property
    def scenario(self) -> Scenario:
        """Its manifest."""
        return self.context.result.scenarios[self.scenario_name]

    @cached_property
    def variant(self) -> str:
        """The variant; empty where there are several."""
        return _common(cell.variant for cell in self.cells)

    @cached_property
    def step(self) -> str:
        """The step; empty where there are several, and of trials as a whole."""
        return _common(cell.step for cell in self.cells)

    @cached_property
    def mode(self) -> str:
        """The way of working that the contenders declare; empty where there are several."""
        return _common(cell.mode for cell in self.cells)

    @property
    def mode_title(self) -> str:
        """The mode in words; empty where there are several."""
        return self.context.mode_title(self.mode)

    @cached_property
    def by_mode(self) -> tuple[CellTable, ...]:
        """A table a mode, yardsticks included; itself where all have one."""
        modes = dict.fromkeys(cell.mode for cell in self.cells)
        return tuple(
            CellTable(self.context, tuple(cell for cell in self.cells if cell.mode == mode))
            for mode in modes
        )

    @cached_property
    def generator(self) -> str:
        """Maker of the load; empty for the suite's own."""
        return _common(cell.generator for cell in self.cells)

    @cached_property
    def language(self) -> str:
        """The language the cells are ranked within; empty where languages are compared."""
        return _common(map(self.context.ranked_language, self.cells))

    @property
    def operations(self) -> dict[str, Operation]:
        """The operations of the scenario its cells have figures of; all where none has any."""
        used = {name for cell in self.cells for name in cell.statuses}
        used |= {metric.partition(".")[0] for cell in self.cells for metric in cell.metrics}
        operations = self.scenario.operations
        return {name: op for name, op in operations.items() if name in used} or operations

    @property
    def trials(self) -> int:
        """Included trials of the cell that has most."""
        return max((len(cell.trials) for cell in self.cells), default=0)

    # ----------------------------------------------------------------------- rows and columns

    @cached_property
    def contenders(self) -> list[str]:
        """The contenders that have a cell."""
        here = {cell.contender for cell in self.cells}
        return [name for name in self.context.contenders if name in here]

    @property
    def yardsticks_last(self) -> list[str]:
        """The contenders, those that are never ranked at the end."""
        return sorted(self.contenders, key=lambda name: name in self.context.references)

    @cached_property
    def languages(self) -> list[str]:
        """The languages of the contenders, by name."""
        return sorted({self.context.language_of(name) for name in self.contenders})

    @cached_property
    def all_steps(self) -> dict[str, Step]:
        """The steps of the manifest, whether they were carried out or not."""
        models = self.context.result.scenarios
        names = dict.fromkeys(cell.scenario for cell in self.cells)
        return {step: model for name in names for step, model in models[name].steps.items()}

    @cached_property
    def steps(self) -> list[str]:
        """The steps that have cells."""
        here = {cell.step for cell in self.cells}
        return [step for step in self.all_steps if step in here]

    # ----------------------------------------------------------------------------- selections

    def where(self, chosen: Callable[[Cell], bool]) -> CellTable:
        """The cells that are chosen."""
        return CellTable(self.context, tuple(cell for cell in self.cells if chosen(cell)))

    def among(self, contenders: Collection[str]) -> CellTable:
        """The cells of some contenders."""
        return self.where(lambda cell: cell.contender in contenders)

    def at(self, step: str) -> CellTable:
        """The cells of a step; of an empty one, those of trials as a whole."""
        return self.where(lambda cell: cell.step == step)

    @cached_property
    def by_step(self) -> tuple[CellTable, ...]:
        """A table a step."""
        return tuple(self.at(step) for step in self.steps)

    @cached_property
    def whole(self) -> CellTable:
        """Trials as a whole."""
        return self.at("")

    @property
    def top(self) -> CellTable:
        """The last step, which has the highest load."""
        return self.by_step[-1]

    @property
    def columns(self) -> tuple[CellTable, ...]:
        """A table a step, then that of the whole."""
        return (*self.by_step, self.whole) if self.whole else self.by_step

    @cached_property
    def peers(self) -> tuple[CellTable, ...]:
        """A table for all that are ranked together: by language, where that parts them, and mode.
        Yardsticks are in none."""
        found: dict[tuple[str, str], list[Cell]] = {}
        for cell in self.cells:
            if cell.contender not in self.context.references:
                like = (self.context.ranked_language(cell), cell.mode)
                found.setdefault(like, []).append(cell)
        return tuple(CellTable(self.context, tuple(found[like])) for like in sorted(found))

    def peers_of(self, language: str) -> list[CellTable]:
        """The peers of a language."""
        return [peers for peers in self.peers if peers.language == language]

    def yardsticks(self, language: str) -> list[str]:
        """The contenders of a language that are never ranked."""
        known = self.context.references
        return [
            n for n in self.contenders if n in known and self.context.language_of(n) == language
        ]

    # -------------------------------------------------------------------------- single figures

    @cached_property
    def _by_place(self) -> dict[tuple[str, str], Cell]:
        return {(cell.contender, cell.step): cell for cell in self.cells}

    def cell(self, contender: str, step: str | None = None) -> Cell | None:
        """The cell of a contender at a step (by default the table's own); None without one."""
        return self._by_place.get((contender, self.step if step is None else step))

    def metric(self, contender: str, step: str, name: str) -> Metric | None:
        """A figure that may be used: it has a value, and no gate took it away."""
        cell = self.cell(contender, step)
        return cell.usable(name) if cell else None

    def value(self, contender: str, step: str, name: str) -> float | None:
        """The value of such a figure."""
        found = self.metric(contender, step, name)
        return None if found is None else found.value

    def best_first(
        self, contenders: Iterable[str], step: str, name: str, *, highest: bool = False
    ) -> list[str]:
        """The contenders that have such a figure, by its value: the least one first, or the
        ``highest``.
        """
        found = {one: self.value(one, step, name) for one in contenders}
        known = {one: value for one, value in found.items() if value is not None}
        return sorted(known, key=lambda one: known[one], reverse=highest)

    @property
    def ranked(self) -> tuple[Cell, ...]:
        """The cells that have ranks, as far as their figures are usable: no yardsticks."""
        known = self.context.references
        return tuple(cell for cell in self.cells if cell.contender not in known)

    @property
    def void(self) -> tuple[Cell, ...]:
        """The invalid cells in which no ranked figure is left."""
        names = [ranking.metric for ranking in rankings(self.scenario)]
        return tuple(
            cell
            for cell in self.cells
            if cell.verdict is Verdict.INVALID and not any(cell.usable(name) for name in names)
        )

    def rank(self, cell: Cell, metric: str) -> str:
        """``2``, or ``2=`` where it is not told apart from another; empty when not ranked."""
        place = self.context.rank_in(cell, metric)
        if place is None:
            return ""
        like = self.context.company(cell)
        company = (other for other in self.ranked if self.context.company(other) == like)
        shared = sum(self.context.rank_in(other, metric) == place for other in company) > 1
        return f"{place}=" if shared else str(place)

    @property
    def nothing_apart(self) -> bool:
        """Whether somebody shares a rank only because a single trial bounds nothing."""
        return any(
            self.context.rank_in(cell, metric) is None
            for cell in self.ranked
            for metric in cell.ranks
        )

    # ------------------------------------------------------------------------------- as it reads

    def step_title(self, step: str) -> str:
        """A step in the words of the manifest; an empty one is all of them."""
        known = self.all_steps.get(step)
        language = self.context.language
        return known.title.of(language) if known else self.context.words.gettext("all steps")

    @property
    def title(self) -> str:
        """The title of its step."""
        return self.step_title(self.step)

    def label(self, contender: str) -> str:
        """The name of a contender, and its mode where the table has several and it has one."""
        name, mode = self.context.name(contender), self.context.mode_of(contender)
        if not mode or len(self.by_mode) == 1:
            return name
        return f"{name} · {self.context.mode_title(mode)}"

    def head(self, contender: str) -> Head:
        """The header of a contender's rows; that any of its cells is invalid is seen there."""
        own = self.among([contender]).cells
        invalid = any(cell.verdict is Verdict.INVALID for cell in own)
        badge = verdict_badge(Verdict.INVALID, self.context.words) if invalid else None
        return Head(self.context.name(contender), badge, self.context.colour(contender))

    def shown(self, contender: str, step: str, column: FigureColumn) -> Plain:
        """A figure for a table, or why there is none; a dash where there is no such cell."""
        cell = self.cell(contender, step)
        return Absent(DASH) if cell is None else measured(self.context, cell, column)

    def shown_along(self, contender: str, column: FigureColumn) -> tuple[Plain, ...]:
        """The same figure at each step."""
        return tuple(self.shown(contender, step, column) for step in self.steps)


def comparisons_of(context: Context, kind: Kind = Kind.LOAD, scenario: str = "") -> list[CellTable]:
    """A table for all cells that may be compared with one another, of all scenarios of a kind (or
    of one scenario), in order: a scenario as a whole before its steps, the suite's own load before
    that of other generators."""
    found: dict[tuple[str, ...], list[Cell]] = {}
    for cell in context.cells:
        if context.result.scenarios[cell.scenario].kind is kind and scenario in ("", cell.scenario):
            found.setdefault(context.company(cell), []).append(cell)
    return [CellTable(context, tuple(cells)) for cells in found.values()]


def together(context: Context, tables: Iterable[CellTable]) -> list[CellTable]:
    """The tables that differ in mode alone as one: its contenders are ranked within their mode."""
    found: dict[tuple[str, ...], list[Cell]] = {}
    for table in tables:
        like = (table.scenario_name, table.variant, table.step, table.generator, table.language)
        found.setdefault(like, []).extend(table.cells)
    return [CellTable(context, tuple(cells)) for cells in found.values()]


def stepped(context: Context, scenario: str, generator: str = "") -> CellTable:
    """A scenario whose steps stand in one table; an empty one where it has no cells of steps, or
    where modes stand apart."""
    found = CellTable.of(context, scenario, generator=generator)
    alike = len({cell.mode for cell in found.cells}) == 1
    return found if found.steps and alike else CellTable(context, ())


def _common(values: Iterable[str]) -> str:
    """The value that all have; empty where they differ."""
    first, *others = {*values} or {""}
    return "" if others else first
