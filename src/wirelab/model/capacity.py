"""Capacity: the largest load that holds bounds, as it is asked for, probed and found.

See "Capacity" in ``docs/concepts/capacity.md`` for what the words mean.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from wirelab.model.load import Closed, Open
from wirelab.model.units import FileName, Strict


class Bound(Strict):
    """A metric that has to be on one side of a figure."""

    metric: str = Field(description='a metric of the scenario, such as "echo.response.p99"')
    at_most: float | None = Field(default=None, description="in the metric's unit")
    at_least: float | None = Field(default=None, description="in the metric's unit")

    @model_validator(mode="after")
    def _one_side(self) -> Bound:
        if (self.at_most is None) == (self.at_least is None):
            raise ValueError("a bound has at_most or at_least")
        return self

    @property
    def limit(self) -> float:
        """The figure, in the metric's unit."""
        limit = self.at_least if self.at_most is None else self.at_most
        if limit is None:
            raise ValueError("a bound without a figure cannot be made")
        return limit

    @property
    def sign(self) -> Literal["≤", "≥"]:
        """Direction in which the metric has to stand to the figure."""
        return "≥" if self.at_most is None else "≤"

    def holds(self, value: float) -> bool:
        """Whether ``value`` is on the right side; being equal is."""
        return value >= self.limit if self.at_most is None else value <= self.limit


class Capacity(Strict):
    """The load that is searched, the ends of the search, and the bounds that it has to hold."""

    load: Annotated[Open | Closed, Field(discriminator="type")] = Field(
        description="of every probe: each user at a rate of its own, or one after the other"
    )
    parameter: str = Field(description="what is searched, such as users or messages")
    of: Literal["step", "tick"] = Field(
        default="step",
        description="step: the parameter is the users or the lanes of the only step; tick: it is "
        "what a lane does at each tick, which its worker reads",
    )
    client_counts: bool = Field(
        default=False,
        description="the measured role belongs to what is compared: a bound that breaks while it "
        "is at its limit is the contender's, and not that of a load generator",
    )
    lowest: int = Field(ge=1)
    highest: int = Field(ge=2)
    width: float = Field(
        default=0.05, gt=0, lt=1, description="of the bracket at last, as a share of its upper end"
    )
    bounds: list[Bound] = Field(min_length=1)


class PlannedProbe(Strict):
    """The part of a trial in a search."""

    search: int = Field(description="number of the contender's search, from 0")
    number: int = Field(description="place in the search, from 0")
    load: int
    most: int = Field(description="probes that the search may take")
    again: bool = Field(default=False, description="the harness failed the probe before it")


Outcome = Literal["held", "failed", "generator", "host"]
"""``failed``: the contender did not hold; ``generator``, ``host``: it cannot be said whether."""


class Measured(Strict):
    """One bound in one probe."""

    metric: str
    sign: Literal["≤", "≥"]
    limit: float
    value: float | None = Field(description="None: nothing was measured")
    unit: str
    holds: bool
    stand_in: str = Field(
        default="", description="the stricter metric whose value this is, for want of samples"
    )


class Probe(Strict):
    """One probe, judged."""

    trial: FileName
    load: int
    outcome: Outcome
    reason: str = Field(default="", description="bound, a gate's code, or why the trial failed")
    detail: str = Field(default="", description="the same in a sentence, where a trial failed")
    signs: dict[str, float] = Field(default={}, description="evidence against the generator")
    figures: list[Measured] = []
    hint: float = Field(
        default=1.0, description="share of the load that might hold; where to look next, no result"
    )

    @property
    def broken(self) -> Measured | None:
        """The first bound that did not hold."""
        return next((figure for figure in self.figures if not figure.holds), None)


Ending = Literal["found", "highest", "none", "probes", "unfinished"]
"""``found``: the bracket is as narrow as asked; ``highest``: the highest load held; ``none``: not
even the lowest did; ``probes``: no more were allowed; ``unfinished``: the run was interrupted."""


Limit = Literal["", "contender", "generator", "host"]


class Search(Strict):
    """One search of one contender."""

    ending: Ending
    verified: int | None = Field(description="highest load that held")
    failed: int | None = Field(description="lowest load above it that did not; None: none is known")
    limited_by: Limit = Field(default="", description="who did not hold at `failed`")
    decisive: Probe | None = Field(default=None, description="the probe that speaks of `failed`")
    probes: list[Probe]

    @property
    def is_at_least(self) -> bool:
        """Whether the capacity may be any load above ``verified``."""
        return self.failed is None or self.limited_by in ("generator", "host")


class CapacityFound(Strict):
    """A capacity cell's results beside its figures: ``remarks["capacity"]``."""

    parameter: str
    searches: list[Search]
