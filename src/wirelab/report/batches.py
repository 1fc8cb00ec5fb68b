"""A scenario of batches as a report looks at it: by language and mode, step by step.

Only contenders of one language and one mode are compared, so each such group has tables of its
own. Yardsticks (copying bytes, folding a value) belong to a language and stand beside its groups.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from wirelab.model.loops import Loops
from wirelab.model.result import Cell, Metric, Verdict
from wirelab.model.suite import Scenario
from wirelab.report.context import Comparison, Context
from wirelab.report.document import Absent, Column, Head, Row, RowGroup, Table, TableCell
from wirelab.report.steps import Stepped
from wirelab.report.tabulate import DASH, FigureColumn, measured, unit_of

KIND = "batches"


@dataclass(frozen=True)
class Peers:
    """Contenders that are ranked together, and their comparisons by step."""

    language: str
    mode: str
    parts: Stepped

    @property
    def contenders(self) -> list[str]:
        """Their names, in the order of every table."""
        return self.parts.contenders


@dataclass(frozen=True)
class Batches:
    """The cells of a scenario of batches."""

    context: Context
    scenario_name: str
    scenario: Scenario
    comparisons: tuple[Comparison, ...]

    @cached_property
    def cells(self) -> Mapping[tuple[str, str], Cell]:
        """By contender and step; the whole of a contender's trials by an empty step."""
        return {(cell.contender, cell.step): cell for c in self.comparisons for cell in c.cells}

    @cached_property
    def steps(self) -> list[str]:
        """The steps that have cells, in the order of the manifest."""
        seen = {step for _contender, step in self.cells}
        return [step for step in self.scenario.steps if step in seen]

    @cached_property
    def contenders(self) -> list[str]:
        """All that have a cell, in the order of every table."""
        seen = {contender for contender, _step in self.cells}
        return [name for name in self.context.contenders if name in seen]

    @cached_property
    def languages(self) -> list[str]:
        """The languages of the contenders, in the order of their names."""
        return sorted({self.language_of(name) for name in self.contenders})

    def language_of(self, contender: str) -> str:
        """The language of a contender."""
        return self.context.participant(contender).manifest.language

    def references(self, language: str) -> list[str]:
        """The yardsticks of a language."""
        known = self.context.references
        return [n for n in self.contenders if n in known and self.language_of(n) == language]

    @cached_property
    def peers(self) -> list[Peers]:
        """The groups that are ranked, by language and mode; yardsticks are in none."""
        groups: dict[tuple[str, str], list[Comparison]] = {}
        for comparison in self.comparisons:
            chosen = tuple(
                cell for cell in comparison.cells if cell.contender not in comparison.references
            )
            if chosen:
                like = (comparison.language, comparison.mode)
                groups.setdefault(like, []).append(replace(comparison, cells=chosen))
        return [
            Peers(language, mode, self._stepped(parts))
            for (language, mode), parts in sorted(groups.items())
        ]

    def of_language(self, language: str) -> list[Peers]:
        """The groups of a language."""
        return [group for group in self.peers if group.language == language]

    def _stepped(self, parts: Sequence[Comparison]) -> Stepped:
        steps = tuple(part for part in parts if part.step)
        whole = next((part for part in parts if not part.step), None)
        return Stepped(self.context, self.scenario_name, self.scenario, steps, whole)

    def step_title(self, step: str) -> str:
        """What a step is called."""
        return self.scenario.steps[step].title.of(self.context.language)

    def metric(self, contender: str, step: str, name: str) -> Metric | None:
        """A figure with a value, of a cell that is not invalid; else None."""
        cell = self.cells.get((contender, step))
        if cell is None or cell.verdict is Verdict.INVALID:
            return None
        found = cell.metrics.get(name)
        return found if found is not None and found.value is not None else None

    def value(self, contender: str, step: str, name: str) -> float | None:
        """The value of such a figure."""
        found = self.metric(contender, step, name)
        return None if found is None else found.value

    @property
    def loops(self) -> Loops:
        """How the loops were asked for in this run."""
        measure = self.scenario.profiles.get(self.context.result.profile)
        return (measure.loops if measure else None) or Loops()

    @property
    def processes(self) -> int:
        """Counted processes of the cell that has most."""
        return max((len(cell.trials) for cell in self.cells.values()), default=0)


def batches(context: Context, scenario: str) -> Batches | None:
    """A scenario of batches; None where the run has no cell of it."""
    found = tuple(context.comparisons(KIND, scenario))
    if not any(comparison.step for comparison in found):
        return None
    return Batches(context, scenario, found[0].scenario, found)


def scenarios(context: Context) -> list[Batches]:
    """Every scenario of batches that was run."""
    return [found for name in context.result.scenarios if (found := batches(context, name))]


def by_operation(found: Batches, contenders: Sequence[str], caption: str) -> Table | None:
    """Operations of contenders down, steps across; for yardsticks. None without any figure."""
    context = found.context
    rows = []
    for name in contenders:
        known = _times(found, name)
        for metric in [f"{op}.time" for op in found.scenario.operations if f"{op}.time" in known]:
            cells = tuple(cell_of(found, name, step, FigureColumn(metric)) for step in found.steps)
            operation = context.words.gettext(metric.removesuffix(".time"))
            label = f"{context.name(name)} · {operation}"
            rows.append(Row(Head(label), cells))
    if not rows:
        return None
    titles = tuple(Column(step, "ns") for step in found.steps)
    stub = (context.words.gettext("contender"),)
    return Table(caption, stub, titles, (RowGroup(tuple(rows)),))


def _times(found: Batches, contender: str) -> set[str]:
    """Metrics of time that a contender has a value of, in any step."""
    return {
        name
        for (who, step), cell in found.cells.items()
        if who == contender and step
        for name, metric in cell.metrics.items()
        if name.endswith(".time") and metric.value is not None
    }


def cell_of(found: Batches, contender: str, step: str, column: FigureColumn) -> TableCell:
    """The figure of a contender in a step; a dash where it has no cell."""
    cell = found.cells.get((contender, step))
    return Absent(DASH) if cell is None else measured(found.context, cell, column)


def plain_table(
    found: Batches, contenders: Sequence[str], caption: str, column: FigureColumn
) -> Table:
    """Contenders down, steps across, without ranks: for figures that are not compared."""
    context = found.context
    rows = tuple(
        Row(
            Head(titled(context, name)),
            tuple(cell_of(found, name, step, column) for step in found.steps),
        )
        for name in contenders
    )
    unit = unit_of(found.cells.values(), column)
    titles = tuple(Column(step, unit) for step in found.steps)
    return Table(caption, (context.words.gettext("contender"),), titles, (RowGroup(rows),))


def titled(context: Context, contender: str) -> str:
    """A contender's name with its mode, where contenders of several modes stand together; a title
    that says it already is enough."""
    manifest = context.participant(contender).manifest
    name = context.name(contender)
    return name if manifest.mode in manifest.title.lower() else f"{name} · {manifest.mode}"
