"""The cells of a scenario of this suite, by contender and step, and rows of tables made of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wirelab.model.result import Cell, Metric, Verdict
from wirelab.model.suite import Scenario, Step
from wirelab.report.context import Context
from wirelab.report.document import Absent, Column, Head, Plain, RowGroup, Table
from wirelab.report.tabulate import DASH, FigureColumn, measured, notes_for, verdict_badge

ELAPSED = "step.elapsed"


@dataclass(frozen=True)
class Grid:
    """A scenario that was run: its cells by contender and step."""

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


def mode_of(context: Context, contender: str) -> str:
    """What "echo" means with a contender."""
    return context.participant(contender).manifest.mode


def by_mode(context: Context, names: Sequence[str]) -> dict[str, list[str]]:
    """Contenders by mode, direct ones first."""
    modes = sorted({mode_of(context, name) for name in names}, key=lambda m: (m != "direct", m))
    return {mode: [n for n in names if mode_of(context, n) == mode] for mode in modes}


def row(grid: Grid, name: str, column: FigureColumn) -> tuple[Plain, ...]:
    """A figure of a contender in every step."""
    return tuple(grid.shown(name, step, column) for step in grid.steps)


def sheet(
    context: Context, caption: str, titles: Sequence[str], groups: Sequence[RowGroup]
) -> Table:
    """Contenders with several rows each, a column a step."""
    stub = (context.words.gettext("contender"), context.words.gettext("figures"))
    columns = tuple(Column(title) for title in titles)
    return Table(caption, stub, columns, tuple(groups), notes_for(context, groups))
