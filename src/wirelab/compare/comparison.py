"""The outcome of comparing two runs, ready to be shown as a table."""

from __future__ import annotations

from collections import Counter
from enum import IntEnum, StrEnum

from pydantic import Field

from wirelab.model.result import Verdict
from wirelab.model.units import Name, Scalar, Strict

LIKE_OUTCOME = "like-outcome"
"""Reason of a cell of which what callers saw was compared, and its main ranked figure was not."""


class Change(StrEnum):
    """The outcome for a figure, or for a whole cell."""

    BETTER = "better"
    WORSE = "worse"
    CHANGED = "changed"  # figures only, where neither direction is better
    SAME = "no difference shown"
    NOT_COMPARABLE = "not comparable"


class ExitCode(IntEnum):
    """The answer to a pipeline; 2 is the command line's own, for mistakes in its use."""

    NOTHING_WORSE = 0
    WORSE = 1
    NOTHING_COMPARED = 3


class SampleCount(Strict):
    """The samples or trials of a figure that a run has."""

    has: float | None = Field(description="none: enough, and not known how many")
    short: bool = Field(default=False, description="they are too few")
    trials: int | None = Field(
        default=None, description="included trials that would have enough; none: not known"
    )


class Shortage(Strict):
    """Too few samples or trials in a run."""

    code: str = Field(description="too-few-samples, too-few-trials")
    needs: float = Field(description="what each run needs")
    old: SampleCount
    new: SampleCount

    @property
    def trials(self) -> int | None:
        """The trials that would be enough in both runs; None where that is not known of one."""
        known = [side.trials for side in (self.old, self.new) if side.short]
        return None if None in known else max(number or 0 for number in known)


class MetricChange(Strict):
    """One metric of one cell in both runs."""

    metric: str
    title: str
    unit: str
    old: float | None
    new: float | None
    ratio: float | None = Field(
        default=None, description="new / old; beside a baseline: of the two runs' ratios to it"
    )
    interval: tuple[float, float] | None = Field(
        default=None, description="95 % interval of the ratio"
    )
    baseline: str = Field(
        default="",
        description="unchanged contender that met the same blocks in both runs; empty: none",
    )
    change: Change
    reason: str = Field(default="", description="why it cannot be compared, as a code")
    shortage: Shortage | None = Field(default=None, description="where the reason is too few")
    decides: bool = Field(default=False, description="the outcome of its cell rests on it")


class CellComparison(Strict):
    """A cell that both runs have."""

    id: str
    scenario: Name
    variant: str
    contender: Name
    old_verdict: Verdict
    new_verdict: Verdict
    change: Change
    reason: str = Field(default="", description="why it is so, as a code")
    gates: list[str] = Field(default=[], description="gates that the reason speaks of")
    code_changed: bool = Field(default=False, description="the contender's own sources differ")
    old_outcomes: dict[str, int] = Field(default={}, description="faults: outcome: trials")
    new_outcomes: dict[str, int] = Field(default={})
    metrics: list[MetricChange] = Field(default=[])
    remedy: str = Field(
        default="", description="options of `./wl run` by which figures with too few had enough"
    )

    @property
    def deciding(self) -> list[MetricChange]:
        """The figures that its outcome rests on."""
        return [metric for metric in self.metrics if metric.decides]

    @property
    def not_compared(self) -> list[MetricChange]:
        """The deciding figures that could not be compared."""
        return [metric for metric in self.deciding if metric.change is Change.NOT_COMPARABLE]


class Difference(Strict):
    """Something around the runs that is not the same: host, versions, a contender's code."""

    what: str
    old: Scalar | None
    new: Scalar | None


class Comparison(Strict):
    """The changes from the old run to the new one."""

    old_run: str
    new_run: str
    threshold: float = Field(description="changes up to this share are noise")
    cells: list[CellComparison]
    only_old: list[str] = Field(default=[], description="cells that the new run does not have")
    only_new: list[str] = Field(default=[])
    differences: list[Difference] = Field(default=[])

    @property
    def worse(self) -> list[CellComparison]:
        """Cells that became worse."""
        return [cell for cell in self.cells if cell.change is Change.WORSE]

    @property
    def counts(self) -> dict[Change, int]:
        """Number of cells by outcome, in the order of the outcomes."""
        found = Counter(cell.change for cell in self.cells)
        return {change: found[change] for change in Change if found[change]}

    @property
    def exit_code(self) -> ExitCode:
        """Worse comes first; then that no cell could be compared, which proves nothing."""
        if self.worse:
            return ExitCode.WORSE
        if all(cell.change is Change.NOT_COMPARABLE for cell in self.cells):
            return ExitCode.NOTHING_COMPARED
        return ExitCode.NOTHING_WORSE
