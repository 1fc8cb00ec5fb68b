"""Amount of a scenario that is measured, the bounds it has to keep, and the metrics it ranks by."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from wirelab.model.loops import Loops
from wirelab.model.units import Duration, Name, Scalar, Strict, Term

CHECK = "check"
"""The profile of wirelab's own tests: as short as still shows that every answer is right."""


class Measure(Strict):
    """Amount of a scenario that a profile measures."""

    trials: int = Field(ge=1)
    discard: int = Field(default=0, ge=0, description="first trials of each cell, in no figure")
    count: int = Field(
        default=1,
        ge=1,
        description="ticks, warm-up included; closed loop: of each step, after settling",
    )
    loops: Loops | None = Field(default=None, description="of a microbenchmark")
    ramp: Duration | None = Field(
        default=None, gt=0, description="of a ramp: what each step takes, instead of its own"
    )
    warmup: int = Field(
        default=0, ge=0, description="first ticks left out; of steps, after the first has settled"
    )
    reruns: int = Field(default=0, ge=0, le=3, description="trials added to an unstable cell")
    settle: int = Field(default=0, ge=0, description="ticks at the start of each step left out")
    steps: list[Term] = Field(default=[], description="the steps carried out; all when empty")
    variants: list[Term] = Field(default=[], description="the variants carried out; all when empty")
    operations: list[Term] = Field(default=[], description="callgrind: those used; all when empty")
    parameters: dict[str, Scalar] = Field(default={}, description="instead of the scenario's")
    probes: int | None = Field(default=None, ge=4, description="capacity: most probes of a search")
    repeats: int = Field(
        default=3, ge=1, le=9, description="capacity: probes whose majority decides on a load"
    )

    highest: int | None = Field(
        default=None, ge=2, description="capacity: the highest load probed, instead of its own"
    )

    @model_validator(mode="after")
    def _something_is_left(self) -> Measure:
        if self.warmup >= self.count:
            raise ValueError("warmup must be smaller than count: nothing would be measured")
        if self.discard >= self.trials:
            raise ValueError("discard must be smaller than trials: no trial would be included")
        return self


class Bounds(Strict):
    """Bounds that a cell must keep to be valid."""

    error_ratio: float = Field(default=0.0, ge=0, le=1)
    cv: float = Field(default=0.15, gt=0, description="cv of the trial means; above: rerun")
    cv_operation: Term | None = None


class Ranking(Strict):
    """A metric that contenders are ranked by."""

    metric: str
    better: Literal["lower", "higher"] = "lower"


class Ceiling(Strict):
    """The most that generator or server give: a metric, at its highest among a scenario's cells."""

    scenario: Name
    metric: str
    alike: list[Term] = Field(
        default=[], description="parameters that those cells and the compared one have in common"
    )
