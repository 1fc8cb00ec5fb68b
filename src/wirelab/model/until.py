"""The rule of a run that adds blocks until its ratios are known closely enough."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from wirelab.model.units import Name, OptionalName, OptionalTerm, Strict


class StoppedBy(StrEnum):
    """The ends of a run that adds blocks. That a ratio excludes 1 is none of them."""

    NARROW = "narrow"
    """Every interval was as narrow as was asked for."""
    TIME = "time"
    BLOCKS = "blocks"
    """The last look was reached."""
    NO_RATIO = "no-ratio"
    """No table had two contenders with figures that have a ratio."""


class Until(Strict):
    """``--until``: blocks are added until the interval of every ratio is narrow enough."""

    width: float = Field(
        gt=0, le=1, description="share by which an interval may reach to either side of its ratio"
    )
    at_most_ns: int = Field(gt=0, description="what the trials of the run may take together")
    figures: dict[Name, str] = Field(
        min_length=1, description="by scenario that gets blocks: the metric of its ratios"
    )
    baselines: list[Name] = Field(
        min_length=2, description="ratios of a table are to the first of these that is in it"
    )
    stopped_by: StoppedBy | None = Field(default=None, description="none: blocks are still to come")


class TableWidth(Strict):
    """One table, of cells that are ranked together, and the widest interval of its ratios."""

    scenario: Name
    variant: OptionalName = ""
    step: OptionalTerm = ""
    generator: OptionalName = ""
    mode: str = ""
    metric: str
    blocks: int = Field(description="included ones, so far")
    baseline: Name
    contender: OptionalName = Field(
        default="", description="whose ratio is known least closely; empty: there is no ratio"
    )
    reach: float | None = Field(
        default=None, description="share by which its 96 % interval reaches to either side"
    )
    scatter: float | None = Field(
        default=None,
        description="standard deviation of the logarithms of its ratio, from block to block",
    )
    without: list[Name] = Field(default=[], description="contenders without a ratio")

    @property
    def place(self) -> str:
        """The table in the words of commands: scenario, variant or step, generator, mode."""
        parts = (self.scenario, self.variant or self.step, self.generator, self.mode)
        return " / ".join(part for part in parts if part)

    def is_narrow(self, until: Until) -> bool:
        """True where all of its ratios are known as closely as was asked for."""
        return self.reach is not None and self.reach <= until.width
