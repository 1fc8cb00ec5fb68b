"""Single figures that stand for their scenarios: columns that bring several scenarios together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wirelab.model.result import Metric
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import Head, Plain
from wirelab.report.tabulate import FigureColumn


@dataclass(frozen=True)
class Highlight:
    """A figure of one step of a scenario, as a column."""

    table: CellTable
    step: str
    column: FigureColumn

    @property
    def title(self) -> str:
        """The scenario up to its first colon, the step, and which percentile it is."""
        words = [self.table.scenario.title.of(self.table.context.language).partition(":")[0]]
        if self.step:
            words.append(self.table.step_title(self.step))
        level = self.column.metric.rpartition(".")[2]
        return " · ".join([*words, level] if level.startswith("p") else words)

    def metric(self, contender: str) -> Metric | None:
        """The figure of a contender, if it may be used."""
        return self.table.metric(contender, self.step, self.column.metric)

    def shown(self, contender: str) -> Plain:
        """The figure of a contender for a table."""
        return self.table.shown(contender, self.step, self.column)


@dataclass(frozen=True)
class Highlights:
    """The highlights whose scenario and step were run; false without any."""

    context: Context
    columns: tuple[Highlight, ...]

    @staticmethod
    def of(context: Context, asked: Sequence[tuple[str, str, FigureColumn]]) -> Highlights:
        """Highlights of scenarios and steps, each with the figure that stands for it."""
        tables = {name: CellTable.of(context, name) for name, _step, _column in asked}
        return Highlights(
            context,
            tuple(
                Highlight(tables[name], step, column)
                for name, step, column in asked
                if tables[name].at(step)
            ),
        )

    def __bool__(self) -> bool:
        return bool(self.columns)

    def known_of(self, contender: str) -> Highlights:
        """The highlights of which a contender has a figure that may be used."""
        known = tuple(one for one in self.columns if one.metric(contender) is not None)
        return Highlights(self.context, known)

    @property
    def contenders(self) -> list[str]:
        """The contenders that have a cell in one of the scenarios."""
        here = {name for one in self.columns for name in one.table.contenders}
        return [name for name in self.context.contenders if name in here]

    def head(self, contender: str) -> Head:
        """The header of a contender's row; that any of its cells is invalid is seen there."""
        heads = [one.table.head(contender) for one in self.columns]
        return next((head for head in heads if head.badge), heads[0])

    def shown(self, contender: str) -> tuple[Plain, ...]:
        """A contender's row."""
        return tuple(one.shown(contender) for one in self.columns)
