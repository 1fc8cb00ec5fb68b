"""A scenario with steps as a grid: a contender's cells in its order, a step a column.

Chapters of suites make their tables of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wirelab.model.result import Cell, Metric, Verdict
from wirelab.model.suite import Scenario, Step
from wirelab.report.context import Context
from wirelab.report.document import Absent, Head, Plain, Row
from wirelab.report.tabulate import DASH, FigureColumn, measured, published_cell, verdict_badge


@dataclass(frozen=True)
class Grid:
    """Cells of a scenario whose loads are steps, by contender and step."""

    context: Context
    scenarios: tuple[Scenario, ...]
    cells: dict[tuple[str, str], Cell]

    @staticmethod
    def of(context: Context, *names: str) -> Grid | None:
        """Of one scenario, or several whose steps differ; None where the run has none of them."""
        cells = {(c.contender, c.step): c for c in context.result.cells if c.scenario in names}
        known = context.result.scenarios
        scenarios = tuple(known[name] for name in names if name in known)
        return Grid(context, scenarios, cells) if cells else None

    @property
    def all_steps(self) -> dict[str, Step]:
        """Those of the manifest, by name."""
        return {name: step for one in self.scenarios for name, step in one.steps.items()}

    @property
    def contenders(self) -> list[str]:
        """In the order that every table keeps."""
        here = {contender for contender, _ in self.cells}
        return [name for name in self.context.contenders if name in here]

    @property
    def steps(self) -> list[str]:
        """Those that this profile carried out."""
        here = {step for _, step in self.cells}
        return [step for step in self.all_steps if step in here]

    def cell(self, contender: str, step: str) -> Cell | None:
        """None where it took no part."""
        return self.cells.get((contender, step))

    def metric(self, contender: str, step: str, name: str) -> Metric | None:
        """A figure that may be used: of a cell that is not invalid."""
        found = self.cell(contender, step)
        if found is None or found.verdict is Verdict.INVALID:
            return None
        metric = found.metrics.get(name)
        return metric if metric is not None and metric.value is not None else None

    def shown(self, contender: str, step: str, column: FigureColumn) -> Plain:
        """A figure for a table; a dash where there is no such cell."""
        found = self.cell(contender, step)
        return Absent(DASH) if found is None else measured(self.context, found, column)

    def head(self, contender: str) -> Head:
        """The header of a contender's rows; that any of its cells is invalid is seen there."""
        own = [cell for (name, _), cell in self.cells.items() if name == contender]
        invalid = any(cell.verdict is Verdict.INVALID for cell in own)
        badge = verdict_badge(Verdict.INVALID, self.context.words) if invalid else None
        return Head(self.context.name(contender), badge, self.context.colour(contender))

    def step_title(self, step: str) -> str:
        """A step in the words of the manifest."""
        return self.all_steps[step].title.of(self.context.language)


def published_here(context: Context) -> Iterator[tuple[str, str]]:
    """Keys of the source's contenders, with the contender here that stands for each."""
    if context.published is not None:
        for key, contender in context.published.contenders.items():
            yield key, contender.here


def published_row(
    context: Context, here: str, keys: Sequence[str], title: str = ""
) -> tuple[Row, ...]:
    """The source's row of the contender that stands for one of its own; none where it has none."""
    found = next((key for key, name in published_here(context) if name == here), None)
    if found is None:
        return ()
    cells = tuple(published_cell(context, found, FigureColumn(key)) for key in keys)
    if all(isinstance(cell, Absent) for cell in cells):
        return ()
    return (Row(Head(title or context.words.gettext("published")), cells, published=True),)
