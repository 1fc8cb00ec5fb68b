"""The load of a scenario as a report tells it: what it is, and which figures it can have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, assert_never

from wirelab.model.load import Closed, Microbenchmark, Open, Paced
from wirelab.model.measure import Measure
from wirelab.model.parts import Operation
from wirelab.model.scenario import Scenario
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import Block, Callout, Text
from wirelab.report.load.closed import ClosedLoadText
from wirelab.report.load.conditions import Rows
from wirelab.report.load.scheduled import ScheduledLoadText


class LoadText(Protocol):
    """The texts that differ between loads in sections that every load with samples has."""

    @property
    def is_due(self) -> bool:
        """Whether calls have intended times: then there are response times, and drift."""

    @property
    def leading(self) -> Sequence[str]:
        """Metrics of a step that come before those of its operations."""

    def conditions(self) -> Rows:
        """Describe how calls follow each other."""

    def call(self, name: str, operation: Operation) -> str:
        """Describe one call at a tick: what it does, how often, and its deadline."""

    def amount(self, measure: Measure) -> Rows:
        """Describe the length of a trial, and the part of it that is left out."""

    def steps(self, measure: Measure, names: Sequence[str]) -> Rows:
        """The steps that were carried out, where there are some."""

    def summary(self, name: str, operation: Operation) -> str:
        """An operation in a few words."""

    def times(self) -> Callout:
        """Explain the times of calls."""

    def limits(self) -> Sequence[Text]:
        """Name the limits of what a run under this load can show."""

    def targets(self, operations: Mapping[str, Operation]) -> Sequence[Block]:
        """The rates that were asked for."""

    def rates(self, table: CellTable) -> tuple[str, Sequence[Text]]:
        """The caption of a table of rates, and what is remarkable in it."""


def load_text(context: Context, scenario: Scenario) -> LoadText:
    """The load of a scenario that is compared by its samples."""
    match load := scenario.played:
        case Paced() | Open():
            return ScheduledLoadText(context, scenario, load)
        case Closed():
            return ClosedLoadText(context, scenario)
        case Microbenchmark():
            raise ValueError("sections of their own tell of microbenchmarks")
    assert_never(load)
