"""The outcome of comparing two runs, ready to be shown as a table."""

from __future__ import annotations

from enum import IntEnum, StrEnum

from pydantic import Field

from wirelab.model.result import Verdict
from wirelab.model.units import Name, Scalar, Strict


class Change(StrEnum):
    """What became of a figure."""

    IMPROVED = "improved"
    REGRESSED = "regressed"
    CHANGED = "changed"  # where neither direction is better
    SAME = "no difference"
    NOT_COMPARABLE = "not comparable"


class ExitCode(IntEnum):
    """What a pipeline is told."""

    NO_REGRESSION = 0
    REGRESSION = 1
    NOTHING_COMPARED = 2


class MetricChange(Strict):
    """One metric of one cell in both runs."""

    metric: str
    unit: str
    old: float | None
    new: float | None
    ratio: float | None = Field(default=None, description="new / old")
    interval: tuple[float, float] | None = Field(
        default=None, description="95 % interval of the ratio"
    )
    change: Change
    reason: str = Field(default="", description="why it cannot be compared, as a code")
    decides: bool = Field(
        default=False, description="a regression of it is a regression of the run"
    )


class CellComparison(Strict):
    """A cell that both runs have."""

    id: str
    scenario: Name
    variant: str
    contender: Name
    old_verdict: Verdict
    new_verdict: Verdict
    change: Change
    reason: str = Field(default="", description="why: unlike cells, invalid, or worse outcomes")
    old_outcomes: dict[str, int] = Field(default={}, description="faults: outcome: trials")
    new_outcomes: dict[str, int] = Field(default={})
    metrics: list[MetricChange] = Field(default=[])


class Difference(Strict):
    """Something around the runs that is not the same: host, versions."""

    what: str
    old: Scalar | None
    new: Scalar | None


class Comparison(Strict):
    """What changed from the old run to the new one."""

    old_run: str
    new_run: str
    threshold: float = Field(description="changes up to this share are noise")
    cells: list[CellComparison]
    only_old: list[str] = Field(default=[], description="cells that the new run does not have")
    only_new: list[str] = Field(default=[])
    differences: list[Difference] = Field(default=[])

    @property
    def regressions(self) -> list[CellComparison]:
        """Cells that became worse."""
        return [cell for cell in self.cells if cell.change is Change.REGRESSED]

    @property
    def exit_code(self) -> ExitCode:
        """1 with a regression; 2 when no cell at all could be compared, which proves nothing."""
        if self.regressions:
            return ExitCode.REGRESSION
        if all(cell.change is Change.NOT_COMPARABLE for cell in self.cells):
            return ExitCode.NOTHING_COMPARED
        return ExitCode.NO_REGRESSION
