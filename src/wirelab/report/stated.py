"""Rules that decide a statement of a study, as ``published.toml`` declares them.

A side of a comparison is a contender of the suite or a key of the study's own, with ``@step``
where the two sides are of unlike steps. A step is a pattern (``*``: every step that was run), or
``last``: the highest of them.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from wirelab.model.spikes import SpikeCause
from wirelab.model.units import Strict

LAST = "last"


class CallerViews(Strict):
    """The views of each contender's callers on a fault, in every trial."""

    kind: Literal["seen"]
    scenario: str
    variant: str
    outcome: Literal["error", "item-error", "silent", "hang", "recovered", "not-recovered", "ok"]
    contenders: list[str] = Field(min_length=1)


class FigurePlace(Strict):
    """Place of the figures of a rule."""

    scenario: str
    metric: str
    step: str = Field(default="", description="empty: the scenario as a whole")
    variant: str = ""
    otherwise: str = Field(
        default="", description="scenario whose figures decide where the first one was not run"
    )


class Differs(FigurePlace):
    """Each contender on the left has less (or more) than each on the right."""

    kind: Literal["less", "more"]
    left: list[str] = Field(min_length=1)
    right: list[str] = Field(min_length=1)


class Level(FigurePlace):
    """No two of the contenders differ: by 5 % at the most, or by what the study calls equal."""

    kind: Literal["level"]
    contenders: list[str] = Field(min_length=2)


class Times(FigurePlace):
    """The left one has so many times as much as the right one."""

    kind: Literal["times"]
    left: str
    right: str
    times: float = Field(gt=0)


class Between(FigurePlace):
    """The left one has from ``low`` to ``high`` times as much as the right one."""

    kind: Literal["between"]
    left: str
    right: str
    low: float = Field(ge=0)
    high: float

    @model_validator(mode="after")
    def _in_order(self) -> Between:
        if self.low >= self.high:
            raise ValueError(f"low {self.low:g} is not below high {self.high:g}")
        return self


class Bounded(FigurePlace):
    """The figure of each contender is below (or above) a limit, in the unit of the metric."""

    kind: Literal["below", "above"]
    contenders: list[str] = Field(min_length=1)
    limit: float


class ExactCountRule(FigurePlace):
    """An exact count that is zero (or not) with each contender."""

    kind: Literal["none", "some"]
    contenders: list[str] = Field(min_length=1)


class Owned(Strict):
    """Each contender on the left costs less to own than each on the right."""

    kind: Literal["cheaper"]
    cost: Literal["size", "image", "direct", "transitive", "lines", "worker", "common"]
    left: list[str] = Field(min_length=1)
    right: list[str] = Field(min_length=1)


class StandsOut(Strict):
    """The slowest operations of each contender coincide with any of these causes oftener than by
    chance."""

    kind: Literal["stands-out"]
    scenario: str
    variant: str = ""
    operation: str
    causes: list[SpikeCause] = Field(min_length=1)
    contenders: list[str] = Field(min_length=1)


Declared = Annotated[
    Differs | Level | Times | Between | Bounded | ExactCountRule | Owned | CallerViews | StandsOut,
    Field(discriminator="kind"),
]
